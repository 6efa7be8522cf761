import type { RepositoryChange } from './change-store'
import type { EditRepoOption } from './schema'
import { settingsIn } from './settings'
import type { RepositoryRow } from './store'

/** Of what was asked for, only what differs from what is there. */
export function changeOf(current: RepositoryRow, input: EditRepoOption, now: Date): RepositoryChange {
  const change: RepositoryChange = {
    name: input.name || undefined,
    description: input.description,
    website: input.website,
    is_private: input.private,
    is_template: input.template,
    default_branch: input.default_branch || undefined,
  }
  const differing = Object.entries(change).filter(
    ([column, value]) => value !== undefined && value !== current[column as keyof RepositoryRow],
  )
  return {
    ...Object.fromEntries(differing),
    ...archiveChange(current, input.archived, now),
    ...settingsChange(current, input),
  }
}

function archiveChange(
  { archived_at }: RepositoryRow,
  archived: boolean | undefined,
  now: Date,
): RepositoryChange {
  if (archived === undefined || archived === (archived_at !== null)) return {}
  return { archived_at: archived ? now : null }
}

function settingsChange({ settings }: RepositoryRow, input: EditRepoOption): RepositoryChange {
  const chosen = settingsIn(input)
  if (Object.keys(chosen).length === 0) return {}
  return { settings: JSON.stringify({ ...(settings as object), ...chosen }) }
}
