import type { ShownPermissions } from '@/server/actions/permissions/schema'

/** Values of a selection with their labels. */
export type Options = readonly (readonly [value: string, label: string])[]

const all = [
  ['none', 'No other repository'],
  ['user', 'Private repositories of the same person'],
  ['organization', 'Private repositories of the same organization'],
] as const

/**
 * Returns which repositories can be allowed to call the workflows of a repository. What does not fit its owner is
 * only included if it is set, for example because the repository was transferred.
 */
export function accessOptions({
  fields,
  owner_kind: owner,
}: Pick<ShownPermissions, 'fields' | 'owner_kind'>): Options {
  const fitting = owner === 'organization' ? 'organization' : 'user'
  return all.filter(([value]) => value === 'none' || value === fitting || value === fields.access_level)
}
