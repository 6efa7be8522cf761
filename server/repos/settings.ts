import { z } from 'zod'
import { RepositorySettings } from './schema'

/** The default settings of a repository. */
const defaults: RepositorySettings = {
  projects_mode: 'all',
  has_releases: true,
  has_actions: true,
  ignore_whitespace_conflicts: false,
  allow_merge_commits: true,
  allow_rebase: true,
  allow_rebase_explicit: true,
  allow_squash_merge: true,
  allow_fast_forward_only_merge: true,
  allow_merge_update: true,
  allow_rebase_update: true,
  allow_manual_merge: false,
  autodetect_manual_merge: false,
  default_delete_branch_after_merge: false,
  default_merge_style: 'merge',
  default_update_style: 'merge',
  default_allow_maintainer_edit: false,
}

const names = Object.keys(defaults) as (keyof RepositorySettings)[]
const Selected = RepositorySettings.partial()
const Stored = z.object({ actions_off_since: z.coerce.date().nullable().default(null) })

/** Parses stored repository settings and fills in the default values of absent ones. */
export function readSettings(stored: unknown): RepositorySettings {
  return { ...defaults, ...Selected.parse(stored) }
}

/** Picks the repository settings that are present in an input. */
export function settingsIn(input: Partial<RepositorySettings>): Partial<RepositorySettings> {
  return Object.fromEntries(names.filter(name => input[name] !== undefined).map(name => [name, input[name]]))
}

/**
 * Returns when a transfer turned the repository's workflows off, unless an owner has turned them on since;
 * null otherwise.
 */
export const offSinceTransfer = (stored: unknown): Date | null => Stored.parse(stored).actions_off_since

/** Returns the stored settings with workflows turned off until an owner turns them on. */
export const withActionsOff = (stored: unknown, now: Date): string =>
  JSON.stringify({ ...(stored as object), has_actions: false, actions_off_since: now })

/** Returns the stored settings with the selected values changed. */
export function withSelected(stored: unknown, selected: Partial<RepositorySettings>): string {
  const turnsOn = selected.has_actions ? { actions_off_since: undefined } : {}
  return JSON.stringify({ ...(stored as object), ...selected, ...turnsOn })
}
