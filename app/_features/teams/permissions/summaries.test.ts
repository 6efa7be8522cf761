import { describe, expect, it } from 'vitest'
import { everyUnit, perUnit } from '@/server/access/units'
import type { TeamPreview } from '@/server/teams/schema'
import type { PermittedTeam } from './permission-draft'
import { accessSummary, previewSummary } from './summaries'

describe('what a team may do is told as', () => {
  it.each<[string, PermittedTeam]>([
    ['Owns the organization', { permission: 'owner', units_map: perUnit(() => 'owner') }],
    ['Administrator access', { permission: 'admin', units_map: everyUnit('admin') }],
    ['Read on every part', { permission: 'read', units_map: everyUnit('read') }],
    ['Write on every part', { permission: 'write', units_map: everyUnit('write') }],
    ['No access to any part', { permission: 'none', units_map: {} }],
    ['Read on Code', { permission: 'read', units_map: { 'repo.code': 'read' } }],
    [
      'Write on 2 parts, read on Actions',
      {
        permission: 'write',
        units_map: { 'repo.code': 'write', 'repo.releases': 'write', 'repo.actions': 'read' },
      },
    ],
    [
      'Read on Code',
      {
        permission: 'write',
        units_map: { 'repo.code': 'read', 'repo.wiki': 'admin', 'repo.issues': 'write' },
      },
    ],
    [
      'Write on every part',
      {
        permission: 'write',
        units_map: { 'repo.code': 'write', 'repo.releases': 'write', 'repo.actions': 'write' },
      },
    ],
    ['No access to any part', { permission: 'read', units_map: { 'repo.issues': 'read' } }],
  ])('%s', (summary, team) => {
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

describe('whom a change affects is told as', () => {
  it.each([
    ['Nobody: the team has no members yet.', preview(0, { members_total: 0, members_looked_at: 0 })],
    [
      'Nobody: the team has no repositories yet.',
      preview(0, { repositories_total: 0, repositories_looked_at: 0 }),
    ],
    ['Nobody: what changes here, they have or lack by other rights as well.', preview(0)],
    ['1 person is affected.', preview(1)],
    ['2 people are affected.', preview(2)],
    [
      '2 people are affected. Looked at 100 of 1,200 people and 5 of 5 repositories.',
      preview(2, { members_looked_at: 100, members_total: 1200 }),
    ],
  ])('%s', (sentence, summary) => {
    expect(previewSummary(summary)).toBe(sentence)
  })
})
