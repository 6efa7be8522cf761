import { type AccessMode, accessModes } from '@/server/access/access-mode'
import { type Unit, type UnitModes, units } from '@/server/access/units'
import type { TeamPreview } from '@/server/teams/schema'
import { draftOf, type PermittedTeam } from './permission-draft'

/** Name and contents of each part (unit) of a repository. */
export const unitLabels: Record<Unit, { name: string; about: string }> = {
  'repo.code': { name: 'Code', about: 'Files, branches, and tags' },
  'repo.issues': { name: 'Issues', about: 'Reports and questions' },
  'repo.pulls': { name: 'Pull requests', about: 'Proposed changes' },
  'repo.releases': { name: 'Releases', about: 'Versions and their files' },
  'repo.wiki': { name: 'Wiki', about: 'Documentation pages' },
  'repo.ext_wiki': { name: 'External wiki', about: 'Hosted elsewhere (read only)' },
  'repo.ext_issues': { name: 'External issues', about: 'Hosted elsewhere (read only)' },
  'repo.projects': { name: 'Projects', about: 'Boards and their cards' },
  'repo.packages': { name: 'Packages', about: 'Published packages' },
  'repo.actions': { name: 'Actions', about: 'Workflow runs and artifacts' },
}

/** Units whose access modes are checked somewhere on this site. */
export const unitsInUse: readonly Unit[] = ['repo.code', 'repo.releases', 'repo.actions']

/** Units that only API clients read and set. */
export const unitsUnused: readonly Unit[] = units.filter(unit => !unitsInUse.includes(unit))

export const modeLabels: Record<AccessMode, string> = {
  none: 'None',
  read: 'Read',
  write: 'Write',
  admin: 'Admin',
  owner: 'Owner',
}

const granted = accessModes.filter(mode => mode !== 'none').toReversed()

/** Returns a short summary of a team's access to the parts in use. */
export function accessSummary(team: PermittedTeam): string {
  if (team.permission === 'owner') return 'Organization owners'
  const { administrator, modes } = draftOf(team)
  if (administrator) return 'Administrator access'
  const [first, ...others] = [...new Set(unitsInUse.map(unit => modes[unit]))]
  if (first && others.length === 0)
    return first === 'none' ? 'No access to any part' : sentence(`${first} access to all parts`)
  return sentence(granted.flatMap(mode => partsWith(mode, modes)).join(', '))
}

function partsWith(mode: AccessMode, modes: UnitModes): string[] {
  const [first, ...others] = unitsInUse.filter(unit => modes[unit] === mode)
  if (!first) return []
  return [`${mode} access to ${others.length === 0 ? unitLabels[first].name : `${others.length + 1} parts`}`]
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/**
 * Returns a one-sentence summary of a preview, followed by how many people and repositories were checked if
 * that is not all.
 */
export function previewSummary(preview: TeamPreview): string {
  const { members, members_looked_at, members_total, repositories_looked_at, repositories_total } = preview
  const isPart = members_looked_at < members_total || repositories_looked_at < repositories_total
  const scope = isPart
    ? ` Checked ${part(members_looked_at, members_total)} people and ${part(repositories_looked_at, repositories_total)} repositories.`
    : ''
  return `${affected(preview, members.length)}${scope}`
}

function affected({ members_total, repositories_total }: TeamPreview, people: number): string {
  if (members_total === 0) return 'No one. The team has no members yet.'
  if (repositories_total === 0) return 'No one. The team has no repositories yet.'
  if (people === 0) return 'No one. Everyone affected already has the same access in another way.'
  return people === 1 ? '1 person is affected.' : `${people.toLocaleString('en-US')} people are affected.`
}

const part = (some: number, all: number): string =>
  `${some.toLocaleString('en-US')} of ${all.toLocaleString('en-US')}`
