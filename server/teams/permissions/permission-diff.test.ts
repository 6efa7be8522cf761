import { describe, expect, it } from 'vitest'
import type { AccessMode } from '@/server/access/access-mode'
import type { TeamAccess } from './access'
import {
  type Edit,
  type EditedMember,
  type EditedRepository,
  memberChanges,
  teamChanges,
} from './permission-diff'

const team = { id: 1, name: 'builders' }
const reads: TeamAccess = { mode: 'read', units: { 'repo.code': 'read' } }
const writes: TeamAccess = { mode: 'write', units: { 'repo.code': 'write' } }
const admins: TeamAccess = { mode: 'admin', units: {} }

function repositories(count: number, overrides: Partial<EditedRepository> = {}): EditedRepository[] {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: `repo-${index + 1}`,
    isPrivate: true,
    teamIds: new Set([team.id]),
    attachedAfter: true,
    ...overrides,
  }))
}

function edit(overrides: Partial<Edit> = {}): Edit {
  return {
    team,
    before: reads,
    after: writes,
    owner: { id: 9, visibility: 'public', isOrganization: true },
    repositories: repositories(3),
    ...overrides,
  }
}

function member(overrides: Partial<EditedMember> = {}, admin = false): EditedMember {
  return {
    subject: { kind: 'user', id: 7, isAdmin: admin, isRestricted: false, publicOnly: false },
    isOrganizationOwner: false,
    teams: [],
    collaborations: new Map(),
    ...overrides,
  }
}

const counted = (edit: Edit, member: EditedMember) =>
  memberChanges(edit, member).map(change => ({ ...change, repositories: change.repositories.length }))

const raised = (repositories: number) => ({
  unit: 'repo.code',
  before: 'read',
  after: 'write',
  repositories,
})

describe('memberChanges', () => {
  it('reports raised access on every repository of the team', () => {
    expect(counted(edit(), member())).toEqual([raised(3)])
  })

  it('reports lowered access on every repository of the team', () => {
    expect(counted(edit({ before: writes, after: reads }), member())).toEqual([
      { unit: 'repo.code', before: 'write', after: 'read', repositories: 3 },
    ])
  })

  it('reports nothing when the edit changes nothing', () => {
    expect(counted(edit({ after: reads }), member())).toEqual([])
  })

  it('reports nothing for organization owners and site administrators', () => {
    expect(counted(edit(), member({ isOrganizationOwner: true }))).toEqual([])
    expect(counted(edit(), member({}, true))).toEqual([])
  })

  it('skips repositories on which another team grants the same access', () => {
    const other = {
      team: { id: 2, name: 'writers' },
      mode: 'write',
      units: { 'repo.code': 'write' },
    } as const
    const [first, ...rest] = repositories(3)
    const shared = { ...(first as EditedRepository), teamIds: new Set([1, 2]) }
    const changes = counted(edit({ repositories: [shared, ...rest] }), member({ teams: [other] }))
    expect(changes).toEqual([raised(2)])
  })

  it('skips repositories on which the member is a collaborator with at least the same access', () => {
    const collaborations = new Map<number, AccessMode>([[2, 'admin']])
    expect(counted(edit(), member({ collaborations }))).toEqual([raised(2)])
  })

  it('reports no loss of read access on public repositories', () => {
    const after: TeamAccess = { mode: 'none', units: { 'repo.code': 'none' } }
    const mixed = [...repositories(1), ...repositories(2, { isPrivate: false })]
    expect(counted(edit({ after, repositories: mixed }), member())).toEqual([
      { unit: 'repo.code', before: 'read', after: 'none', repositories: 1 },
    ])
  })

  it('groups repositories by the access that the member had before the edit', () => {
    const mixed = [...repositories(2), ...repositories(1, { teamIds: new Set() })]
    expect(counted(edit({ repositories: mixed }), member())).toEqual([
      raised(2),
      { unit: 'repo.code', before: 'none', after: 'write', repositories: 1 },
    ])
  })

  it('lists the names of the repositories in the order of the input', () => {
    const collaborations = new Map<number, AccessMode>([[2, 'admin']])
    const [change] = memberChanges(edit(), member({ collaborations }))
    expect(change?.repositories).toEqual(['repo-1', 'repo-3'])
  })

  it('skips repositories that the team has neither before nor after the edit', () => {
    const others = repositories(2, { teamIds: new Set([2]), attachedAfter: false })
    expect(counted(edit({ repositories: others }), member())).toEqual([])
  })

  it('reports every unit, in the standard order, when the team becomes admin', () => {
    const changes = counted(edit({ after: admins, repositories: repositories(1) }), member())
    expect(changes).toHaveLength(10)
    expect(changes[0]).toEqual({ unit: 'repo.code', before: 'read', after: 'admin', repositories: 1 })
    expect(changes).toContainEqual({ unit: 'repo.ext_wiki', before: 'none', after: 'read', repositories: 1 })
  })
})

describe('teamChanges', () => {
  it('lists each unit whose mode changes', () => {
    const after: TeamAccess = { mode: 'read', units: { 'repo.code': 'read', 'repo.wiki': 'write' } }
    expect(teamChanges(reads, after)).toEqual([{ unit: 'repo.wiki', before: 'none', after: 'write' }])
    expect(teamChanges(reads, reads)).toEqual([])
    expect(teamChanges(reads, admins)).toHaveLength(10)
  })
})
