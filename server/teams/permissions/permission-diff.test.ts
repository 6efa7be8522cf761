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

describe('what an edit changes for a member', () => {
  it('is what the team gives more, on every repository it has', () => {
    expect(counted(edit(), member())).toEqual([raised(3)])
  })

  it('is what the team gives less', () => {
    expect(counted(edit({ before: writes, after: reads }), member())).toEqual([
      { unit: 'repo.code', before: 'write', after: 'read', repositories: 3 },
    ])
  })

  it('is nothing when nothing changes', () => {
    expect(counted(edit({ after: reads }), member())).toEqual([])
  })

  it('is nothing for owners of the organization and site admins', () => {
    expect(counted(edit(), member({ isOrganizationOwner: true }))).toEqual([])
    expect(counted(edit(), member({}, true))).toEqual([])
  })

  it('is nothing where another team gives as much', () => {
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

  it('is nothing where they are a collaborator with as much', () => {
    const collaborations = new Map<number, AccessMode>([[2, 'admin']])
    expect(counted(edit(), member({ collaborations }))).toEqual([raised(2)])
  })

  it('is no loss of reading where everybody may read', () => {
    const after: TeamAccess = { mode: 'none', units: { 'repo.code': 'none' } }
    const mixed = [...repositories(1), ...repositories(2, { isPrivate: false })]
    expect(counted(edit({ after, repositories: mixed }), member())).toEqual([
      { unit: 'repo.code', before: 'read', after: 'none', repositories: 1 },
    ])
  })

  it('counts repositories with another right before by themselves', () => {
    const mixed = [...repositories(2), ...repositories(1, { teamIds: new Set() })]
    expect(counted(edit({ repositories: mixed }), member())).toEqual([
      raised(2),
      { unit: 'repo.code', before: 'none', after: 'write', repositories: 1 },
    ])
  })

  it('names the repositories, in the order they were given', () => {
    const collaborations = new Map<number, AccessMode>([[2, 'admin']])
    const [change] = memberChanges(edit(), member({ collaborations }))
    expect(change?.repositories).toEqual(['repo-1', 'repo-3'])
  })

  it('is nothing on repositories that the team neither has nor gets', () => {
    const others = repositories(2, { teamIds: new Set([2]), attachedAfter: false })
    expect(counted(edit({ repositories: others }), member())).toEqual([])
  })

  it('is on every unit when the team comes to administer all, in their usual order', () => {
    const changes = counted(edit({ after: admins, repositories: repositories(1) }), member())
    expect(changes).toHaveLength(10)
    expect(changes[0]).toEqual({ unit: 'repo.code', before: 'read', after: 'admin', repositories: 1 })
    expect(changes).toContainEqual({ unit: 'repo.ext_wiki', before: 'none', after: 'read', repositories: 1 })
  })
})

describe('what an edit changes for the team', () => {
  it('is each unit with another mode', () => {
    const after: TeamAccess = { mode: 'read', units: { 'repo.code': 'read', 'repo.wiki': 'write' } }
    expect(teamChanges(reads, after)).toEqual([{ unit: 'repo.wiki', before: 'none', after: 'write' }])
    expect(teamChanges(reads, reads)).toEqual([])
    expect(teamChanges(reads, admins)).toHaveLength(10)
  })
})
