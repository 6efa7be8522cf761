import { describe, expect, it } from 'vitest'
import { everyUnit, perUnit } from '@/server/access/units'
import type { TeamPreview } from '@/server/teams/schema'
import type { PermittedTeam } from './permission-draft'
import { accessSummary, previewSummary } from './summaries'

describe('accessSummary', () => {
  it.each<[string, PermittedTeam]>([
    ['Organization owners', { permission: 'owner', units_map: perUnit(() => 'owner') }],
    ['Administrator access', { permission: 'admin', units_map: everyUnit('admin') }],
    ['Read access to all parts', { permission: 'read', units_map: everyUnit('read') }],
    ['Write access to all parts', { permission: 'write', units_map: everyUnit('write') }],
    ['No access to any part', { permission: 'none', units_map: {} }],
    ['Read access to Code', { permission: 'read', units_map: { 'repo.code': 'read' } }],
    [
      'Write access to 2 parts, read access to Actions',
      {
        permission: 'write',
        units_map: { 'repo.code': 'write', 'repo.releases': 'write', 'repo.actions': 'read' },
      },
    ],
    [
      'Read access to Code',
      {
        permission: 'write',
        units_map: { 'repo.code': 'read', 'repo.wiki': 'admin', 'repo.issues': 'write' },
      },
    ],
    [
      'Write access to all parts',
      {
        permission: 'write',
        units_map: { 'repo.code': 'write', 'repo.releases': 'write', 'repo.actions': 'write' },
      },
    ],
    ['No access to any part', { permission: 'read', units_map: { 'repo.issues': 'read' } }],
  ])('returns "%s"', (summary, team) => {
    expect(accessSummary(team)).toBe(summary)
  })
})

const preview = (people: number, parts: Partial<TeamPreview> = {}): TeamPreview => ({
  units: [],
  members: Array.from({ length: people }, (_, index) => ({
    username: `user-${index}`,
    full_name: '',
    changes: [],
  })),
  members_looked_at: 3,
  members_total: 3,
  repositories_looked_at: 5,
  repositories_total: 5,
  ...parts,
})

describe('previewSummary', () => {
  it.each([
    ['No one. The team has no members yet.', preview(0, { members_total: 0, members_looked_at: 0 })],
    [
      'No one. The team has no repositories yet.',
      preview(0, { repositories_total: 0, repositories_looked_at: 0 }),
    ],
    ['No one. Everyone affected already has the same access in another way.', preview(0)],
    ['1 person is affected.', preview(1)],
    ['2 people are affected.', preview(2)],
    [
      '2 people are affected. Checked 100 of 1,200 people and 5 of 5 repositories.',
      preview(2, { members_looked_at: 100, members_total: 1200 }),
    ],
  ])('returns "%s"', (sentence, summary) => {
    expect(previewSummary(summary)).toBe(sentence)
  })
})
