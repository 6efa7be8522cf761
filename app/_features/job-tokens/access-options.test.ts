import { expect, it } from 'vitest'
import type { PermissionFields } from '@/server/actions/permissions/schema'
import { accessOptions } from './access-options'

const valuesFor = (owner_kind: 'person' | 'organization', access_level: PermissionFields['access_level']) => {
  const every = { contents: 'write', actions: 'write', statuses: 'write', packages: 'write' } as const
  const fields = { default: 'inherit', ...every, access_level } as const
  return accessOptions({ fields, owner_kind }).map(([value]) => value)
}

it('the repositories that can call workflows are offered as they fit the owner', () => {
  expect(valuesFor('person', 'none')).toEqual(['none', 'user'])
  expect(valuesFor('organization', 'none')).toEqual(['none', 'organization'])
})

it('a set value that does not fit the owner is still offered', () => {
  expect(valuesFor('organization', 'user')).toEqual(['none', 'user', 'organization'])
})
