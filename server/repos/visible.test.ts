import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OpenDatabase } from '@/db/client'
import {
  addToOrg,
  addToTeam,
  attach,
  makeOrg,
  makeRepository,
  makeTeam,
  makeUser,
} from '@/db/testing/factories'
import { openTestDatabase } from '@/db/testing/test-database'
import { maySeeRepository, repositoryAccesses, type Subject } from '@/server/access'
import { countReached, selectReached } from './list-store'
import { reachOf } from './reach'
import { type RepositoryRow, repositoryColumns } from './store'
import { visibleRepositories } from './visible'

type Owner = Awaited<ReturnType<typeof makeUser>>
type Person = Extract<Subject, { kind: 'user' }>

let database: OpenDatabase
let owners: Map<number, Owner>
let subjects: { told: string; subject: Subject }[]
let repositories: RepositoryRow[]

/** Owners of every visibility with public and private repositories, and people in every relation to them. */
beforeAll(async () => {
  database = await openTestDatabase()
  const { db } = database
  const people: Record<string, Owner> = {}
  const titles = 'founder member reader triager empty-handed collaborator outsider administrator'.split(' ')
  for (const title of titles) people[title] = await makeUser(db, { is_admin: title === 'administrator' })
  const id = (title: string) => people[title]?.id ?? 0
  for (const visibility of ['public', 'limited', 'private'] as const) {
    const org = await makeOrg(db, id('founder'), { visibility })
    await addToOrg(db, org.id, id('member'))
    const [team, none] = [await makeTeam(db, org.id), await makeTeam(db, org.id, {}, { 'repo.code': 'none' })]
    await addToTeam(db, team, id('reader'))
    await addToTeam(db, none, id('empty-handed'))
    const triage = await makeTeam(db, org.id, {}, { 'repo.issues': 'write' })
    await addToTeam(db, triage, id('triager'))
    people[`owner, ${visibility}`] = await makeUser(db, { visibility })
    for (const owner of [org.id, id(`owner, ${visibility}`)]) {
      for (const is_private of [false, true]) {
        await makeRepository(db, owner, { is_private })
        const { id: given } = await makeRepository(db, owner, { is_private })
        await db
          .insertInto('repository_collaborators')
          .values({ repository_id: given, user_id: id('collaborator'), mode: 'read' })
          .execute()
        if (owner !== org.id) continue
        await attach(db, team, given)
        await attach(db, none, given)
        await attach(db, triage, given)
      }
    }
  }
  owners = new Map((await db.selectFrom('users').selectAll().execute()).map(row => [row.id, row]))
  repositories = await db.selectFrom('repositories').select(repositoryColumns).orderBy('id').execute()
  const flags = [true, false]
  subjects = [{ told: 'nobody', subject: { kind: 'anonymous' as const } }]
  for (const [title, { id, is_admin }] of Object.entries(people)) {
    for (const isRestricted of flags) {
      for (const publicOnly of flags) {
        const told = `${title}${isRestricted ? ', restricted' : ''}${publicOnly ? ', public data only' : ''}`
        subjects.push({ told, subject: { kind: 'user', id, isAdmin: is_admin, isRestricted, publicOnly } })
      }
    }
  }
})
afterAll(() => database.close())

async function seenOneByOne(subject: Subject, rows: RepositoryRow[]): Promise<number[]> {
  const refs = rows.map(row => ({ ...row, owner: owners.get(row.owner_id) as Owner }))
  const accesses = await repositoryAccesses(database.db, subject, refs)
  return rows.flatMap((row, index) => {
    const access = accesses[index]
    return access && maySeeRepository(access) ? [row.id] : []
  })
}

it('the condition lets everybody see exactly what the rules let them see one by one', async () => {
  expect(repositories).toHaveLength(24)
  for (const { told, subject } of subjects) {
    const rows = await database.db
      .selectFrom('repositories')
      .select('id')
      .where(visibleRepositories(subject))
      .orderBy('id')
      .execute()
    const ids = rows.map(row => row.id)
    expect(ids, told).toEqual(await seenOneByOne(subject, repositories))
  }
})

it('the condition on a unit lets everybody see exactly where the rules let them read it', async () => {
  for (const { told, subject } of subjects) {
    for (const unit of ['repo.code', 'repo.issues'] as const) {
      const rows = await database.db
        .selectFrom('repositories')
        .select('id')
        .where(visibleRepositories(subject, unit))
        .orderBy('id')
        .execute()
      const refs = repositories.map(row => ({ ...row, owner: owners.get(row.owner_id) as Owner }))
      const accesses = await repositoryAccesses(database.db, subject, refs)
      const readable = refs.filter((_, index) => accesses[index]?.units[unit].mode !== 'none')
      expect(
        rows.map(row => row.id),
        `${told}, ${unit}`,
      ).toEqual(readable.map(row => row.id))
    }
  }
})

it('the list of one owner shows and counts exactly that, for whoever may see the owner', async () => {
  for (const { told, subject } of subjects) {
    for (const owner of owners.values()) {
      const all = repositories.filter(row => row.owner_id === owner.id)
      const isMember = subject.kind === 'user' && (await isIn(subject.id, owner.id))
      if (all.length === 0 || !maySeeOwner(subject, owner, isMember)) continue
      const reach = await reachOf(contextOf(subject), owner, isMember)
      const rows = await selectReached(database.db, reach, { page: 1, limit: 50 })
      const seen = await seenOneByOne(subject, all)
      const told2 = `${told} of ${owner.kind} ${owner.visibility}`
      expect(rows.map(row => row.id).sort(), told2).toEqual(seen.sort())
      expect(await countReached(database.db, reach), told2).toBe(seen.length)
    }
  }
})

async function isIn(userId: number, orgId: number): Promise<boolean> {
  const row = await database.db
    .selectFrom('organization_members')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  return row !== undefined
}

function maySeeOwner(subject: Subject, owner: Owner, isMember: boolean): boolean {
  if (subject.kind === 'anonymous' || subject.publicOnly) return owner.visibility === 'public'
  if (subject.isAdmin || subject.id === owner.id || isMember || owner.visibility === 'public') return true
  return owner.visibility === 'limited' && !(subject.isRestricted && owner.kind === 'organization')
}

/** As much of a context as finding out the reach takes. */
function contextOf(subject: Subject): Parameters<typeof reachOf>[0] {
  return { db: database.db, caller: callerOf(subject) } as Parameters<typeof reachOf>[0]
}

function callerOf(subject: Subject): Parameters<typeof reachOf>[0]['caller'] {
  if (subject.kind === 'anonymous') return subject
  const { id, isAdmin, isRestricted, publicOnly }: Person = subject
  const account = { ...(owners.get(id) as Owner), is_admin: isAdmin, is_restricted: isRestricted }
  const scopes = publicOnly ? (['public-only', 'all'] as const) : (['all'] as const)
  return {
    kind: 'user',
    user: account,
    credential: { kind: 'token', tokenId: 0, scopes, expiresAt: null, fromBasic: false },
  }
}
