import { expect, it } from 'vitest'
import { everyUnit, perUnit } from '@/server/access/units'
import { accessSummary } from './access-summary'

it.each([
  ['Owns the organization', { permission: 'owner', units_map: perUnit(() => 'owner') }],
  ['Administrator access', { permission: 'admin', units_map: everyUnit('admin') }],
  ['Read on every part', { permission: 'read', units_map: everyUnit('read') }],
  ['Write on every part', { permission: 'write', units_map: everyUnit('write') }],
  ['No access to any part', { permission: 'none', units_map: {} }],
  ['Read on Code', { permission: 'read', units_map: { 'repo.code': 'read' } }],
  [
    'Admin on Wiki, write on 2 parts, read on Issues',
    {
      permission: 'write',
      units_map: {
        'repo.code': 'write',
        'repo.pulls': 'write',
        'repo.issues': 'read',
        'repo.wiki': 'admin',
        'repo.actions': 'none',
      },
    },
  ],
])('%s', (summary, team) => {
  expect(accessSummary(team)).toBe(summary)
})
