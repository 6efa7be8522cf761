import { type AccessMode, accessModes } from '@/server/access/access-mode'
import { type UnitModes, units } from '@/server/access/units'
import { draftOf, type PermittedTeam, sharedChoice } from './permission-draft'
import { unitLabels } from './unit-labels'

const given = accessModes.filter(mode => mode !== 'none').toReversed()

/** What a team may do in its repositories, in a few words. */
export function accessSummary(team: PermittedTeam): string {
  if (team.permission === 'owner') return 'Owns the organization'
  const { administrator, modes } = draftOf(team)
  if (administrator) return 'Administrator access'
  const shared = sharedChoice(modes)
  if (shared === 'none') return 'No access to any part'
  if (shared) return sentence(`${shared} on every part`)
  return sentence(given.flatMap(mode => partsWith(mode, modes)).join(', '))
}

function partsWith(mode: AccessMode, modes: UnitModes): string[] {
  const [first, ...others] = units.filter(unit => modes[unit] === mode)
  if (!first) return []
  return [`${mode} on ${others.length === 0 ? unitLabels[first].name : `${others.length + 1} parts`}`]
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
