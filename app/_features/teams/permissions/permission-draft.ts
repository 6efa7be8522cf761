import type { SelectedPermissions } from '@/app/_lib/queries/teams'
import { type AccessMode, accessModes, atLeast, highest, lowest } from '@/server/access/access-mode'
import {
  everyUnit,
  highestOf,
  perUnit,
  type Unit,
  type UnitChange,
  type UnitModes,
  units,
} from '@/server/access/units'
import { editedAccess, type TeamAccess, unitsOf } from '@/server/teams/permissions/access'

/** What a team can be given on a unit; owners are made by joining the owners team. */
export const choices = accessModes.filter(mode => mode !== 'owner')
export type Choice = (typeof choices)[number]

/** The permissions of a team while they are being chosen; `modes` wait while the whole is `administrator`. */
export interface PermissionDraft {
  administrator: boolean
  modes: UnitModes
}

/** What somebody has chosen anew of a team's permissions; whatever is absent stays as the team has it. */
export interface PermissionChoice {
  administrator?: boolean
  modes: Partial<UnitModes>
}

/** A team as far as its permissions go. */
export interface PermittedTeam {
  permission: AccessMode
  units_map: Readonly<Partial<UnitModes>>
}

export const newTeamDraft: PermissionDraft = { administrator: false, modes: everyUnit('read') }

export function draftOf(team: PermittedTeam): PermissionDraft {
  const access = accessOf(team)
  return { administrator: atLeast(access.mode, 'admin'), modes: allModes(access) }
}

export function isPossible(unit: Unit, mode: AccessMode): boolean {
  return atLeast(highestOf(unit), mode)
}

export function withUnit(draft: PermissionDraft, unit: Unit, mode: AccessMode): PermissionDraft {
  return { ...draft, modes: { ...draft.modes, [unit]: lowest(mode, highestOf(unit)) } }
}

export function withAll(draft: PermissionDraft, mode: AccessMode): PermissionDraft {
  return { ...draft, modes: everyUnit(mode) }
}

export const noChoice: PermissionChoice = { modes: {} }

/** What a draft changes of the one it began as. */
export function choiceBetween(before: PermissionDraft, after: PermissionDraft): PermissionChoice {
  const selected = units.filter(unit => before.modes[unit] !== after.modes[unit])
  return {
    ...(before.administrator === after.administrator ? {} : { administrator: after.administrator }),
    modes: Object.fromEntries(selected.map(unit => [unit, after.modes[unit]])),
  }
}

export function withChoice(
  draft: PermissionDraft,
  { administrator, modes }: PermissionChoice,
): PermissionDraft {
  return {
    administrator: administrator ?? draft.administrator,
    modes: perUnit(unit => modes[unit] ?? draft.modes[unit]),
  }
}

/** The units on which somebody else has chosen another mode than this choice, which was made of what was `before`. */
export function contestedUnits(
  choice: PermissionChoice,
  before: PermissionDraft,
  now: PermissionDraft,
): Unit[] {
  return units.filter(unit => {
    const mine = choice.modes[unit]
    return mine !== undefined && now.modes[unit] !== before.modes[unit] && now.modes[unit] !== mine
  })
}

/** The draft as calls take it: `permission` is the highest mode of any unit, below admin. */
export function toInput({ administrator, modes }: PermissionDraft): SelectedPermissions {
  if (administrator) return { permission: 'admin' }
  return { permission: lowest(highest(Object.values(modes)), 'write'), units_map: modes }
}

/** The units that the draft would change, computed by the rules that the server applies. */
export function changesOf(team: PermittedTeam, draft: PermissionDraft): UnitChange[] {
  const current = accessOf(team)
  const before = allModes(current)
  const after = allModes(editedAccess(current, toInput(draft)))
  return units
    .filter(unit => before[unit] !== after[unit])
    .map(unit => ({ unit, before: before[unit], after: after[unit] }))
}

/** An administrator team also manages the repositories as a whole, so the switch counts by itself. */
export function isChanged(team: PermittedTeam, draft: PermissionDraft): boolean {
  return draft.administrator !== draftOf(team).administrator || changesOf(team, draft).length > 0
}

function accessOf({ permission, units_map }: PermittedTeam): TeamAccess {
  return { mode: permission, units: perUnit(unit => units_map[unit] ?? 'none') }
}

function allModes(access: TeamAccess): UnitModes {
  const modes = unitsOf(access)
  return perUnit(unit => modes[unit] ?? 'none')
}
