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

/** Modes that a team can have on a unit. Ownership comes only from membership in the owners team. */
export const choices = accessModes.filter(mode => mode !== 'owner')
export type Choice = (typeof choices)[number]

/** A team's permissions while they are being edited. `modes` have no effect while `administrator` is set. */
export interface PermissionDraft {
  administrator: boolean
  modes: UnitModes
}

/**
 * The part of a team's permissions that someone has changed in the form. Absent fields keep the team's saved
 * values.
 */
export interface PermissionChoice {
  administrator?: boolean
  modes: Partial<UnitModes>
}

/** The fields of a team that contain its permissions. */
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

/** Returns the changes that lead from one draft to another. */
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

/**
 * Returns the units that this edit changed from `before` and that someone else has since set to another mode.
 */
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

/**
 * Returns the draft as the input of API calls. `permission` is the highest mode of any unit, but below admin.
 */
export function toInput({ administrator, modes }: PermissionDraft): SelectedPermissions {
  if (administrator) return { permission: 'admin' }
  return { permission: lowest(highest(Object.values(modes)), 'write'), units_map: modes }
}

/** Returns the units that the draft would change, computed with the same rules as on the server. */
export function changesOf(team: PermittedTeam, draft: PermissionDraft): UnitChange[] {
  const current = accessOf(team)
  const before = allModes(current)
  const after = allModes(editedAccess(current, toInput(draft)))
  return units
    .filter(unit => before[unit] !== after[unit])
    .map(unit => ({ unit, before: before[unit], after: after[unit] }))
}

/**
 * Whether a draft differs from the saved team. An administrator team also manages the repositories as a
 * whole, so that switch alone counts as a change.
 */
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
