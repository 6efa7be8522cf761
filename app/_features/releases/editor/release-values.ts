import type { EditedRelease } from '@/server/releases/manage/schema'

/** The fields of the release form, by their names on the wire. */
export interface ReleaseValues {
  [field: string]: string | boolean
  tag_name: string
  target_commitish: string
  name: string
  body: string
  prerelease: boolean
}

/** Labels of the fields. */
export const labels = {
  tag_name: 'Tag',
  target_commitish: 'Target',
  name: 'Title',
  body: 'Notes',
  prerelease: 'Pre-release',
}

/** Returns the values that the form of an existing release starts with. */
export const valuesOf = (release: EditedRelease): ReleaseValues => ({
  tag_name: release.tag_name,
  target_commitish: release.target_commitish,
  name: release.name,
  body: release.body,
  prerelease: release.prerelease,
})

type Edited = Record<string, string | boolean>

/**
 * Returns the changed fields with their former values, and always the state, so that saving a draft cannot change a release
 * that was published meanwhile.
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
