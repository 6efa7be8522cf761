import { z } from 'zod'
import { RepositorySettings } from './schema'

/** The settings of a new repository. */
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

/** Reads stored settings; those that are absent have their defaults. */
export function readSettings(stored: unknown): RepositorySettings {
  return { ...defaults, ...Selected.parse(stored) }
}

/** Picks the settings that are present in an input. */
export function settingsIn(input: Partial<RepositorySettings>): Partial<RepositorySettings> {
  return Object.fromEntries(names.filter(name => input[name] !== undefined).map(name => [name, input[name]]))
}

/** When a transfer turned the workflows of a repository off that no owner has turned on since; null if none did. */
export const offSinceTransfer = (stored: unknown): Date | null => Stored.parse(stored).actions_off_since

/** Stored settings with workflows off, which stay so until an owner turns them on. */
export const withActionsOff = (stored: unknown, now: Date): string =>
  JSON.stringify({ ...(stored as object), has_actions: false, actions_off_since: now })

/** Stored settings with what was chosen. */
export function withSelected(stored: unknown, selected: Partial<RepositorySettings>): string {
  const turnsOn = selected.has_actions ? { actions_off_since: undefined } : {}
  return JSON.stringify({ ...(stored as object), ...selected, ...turnsOn })
}
