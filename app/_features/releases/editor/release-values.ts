import type { EditedRelease } from '@/server/releases/manage/schema'

/** Values of the release form's fields, under the names that the API uses. */
export interface ReleaseValues {
  [field: string]: string | boolean
  tag_name: string
  target_commitish: string
  name: string
  body: string
  prerelease: boolean
}

/** Labels of the fields, for messages about conflicting edits. */
export const labels = {
  tag_name: 'Tag',
  target_commitish: 'Target',
  name: 'Title',
  body: 'Notes',
  prerelease: 'Pre-release',
}

/** Returns the initial form values for an existing release. */
export const valuesOf = (release: EditedRelease): ReleaseValues => ({
  tag_name: release.tag_name,
  target_commitish: release.target_commitish,
  name: release.name,
  body: release.body,
  prerelease: release.prerelease,
})

type Edited = Record<string, string | boolean>

/**
 * Returns the former and current values of the changed fields. Both always include the draft flag, so that
 * saving a draft fails if someone has published the release in the meantime.
 */
export function editOf(
  saved: ReleaseValues,
  values: ReleaseValues,
  draft: { from: boolean; to: boolean },
): { changes: Edited; expected: Edited } {
  const changed = Object.keys(values).filter(field => values[field] !== saved[field])
  const pick = (all: ReleaseValues) =>
    Object.fromEntries(changed.map(field => [field, all[field] as string | boolean]))
  return {
    changes: { ...pick(values), draft: draft.to },
    expected: { ...pick(saved), draft: draft.from },
  }
}
