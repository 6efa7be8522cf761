import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OpenDatabase } from '@/db/client'
import {
  addToOrg,
  addToTeam,
  attach,
  makeDeployKey,
  makeOrg,
  makeRepository,
  makeTeam,
  makeUser,
} from '@/db/testing/factories'
import { openLargeTestDatabase } from '@/db/testing/test-database'
import { countInScope, selectInScope } from '@/server/repos/lists/store'
import { type RepositoryRow, repositoryColumns } from '@/server/repos/store'
import {
  maySeePerson,
  maySeeRepository,
  organizationAccess,
  type RepositoryAccess,
  repositoryAccesses,
  type Subject,
  scopeOfOwn,
  scopeOfOwner,
  subjectFor,
  visibleOrganizations,
  visiblePeople,
  visibleRepositories,
} from '.'
import { units } from './units'

type Owner = Awaited<ReturnType<typeof makeUser>>

let database: OpenDatabase
let owners: Map<number, Owner>
let subjects: { label: string; subject: Subject }[]
const programs: typeof subjects = []
let repositories: RepositoryRow[]

/**
 * Creates owners of every visibility with public and private repositories, and people in every relation to
 * them.
 */
beforeAll(async () => {
  database = await openLargeTestDatabase()
  const { db } = database
  const people: Record<string, Owner> = {}
  const titles =
    'founder member reader triager keeper librarian empty-handed collaborator outsider administrator'.split(
      ' ',
    )
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
    const keepers = await makeTeam(db, org.id, { mode: 'admin' }, {})
    await addToTeam(db, keepers, id('keeper'))
    const everything = await makeTeam(db, org.id)
    await addToTeam(db, everything, id('librarian'))
    people[`owner, ${visibility}`] = await makeUser(db, { visibility })
    for (const owner of [org.id, id(`owner, ${visibility}`)]) {
      for (const is_private of [false, true]) {
        const { id: other } = await makeRepository(db, owner, { is_private })
        const { id: granted } = await makeRepository(db, owner, { is_private })
        await db
          .insertInto('repository_collaborators')
          .values({ repository_id: granted, user_id: id('collaborator'), mode: 'read' })
          .execute()
        if (owner !== org.id) continue
        await attach(db, team, granted)
        await attach(db, none, granted)
        await attach(db, triage, granted)
        await attach(db, keepers, granted)
        for (const one of [granted, other]) await attach(db, everything, one)
      }
    }
  }
  owners = new Map((await db.selectFrom('users').selectAll().execute()).map(row => [row.id, row]))
  repositories = await db.selectFrom('repositories').select(repositoryColumns).orderBy('id').execute()
  const flags = [true, false]
  subjects = [{ label: 'nobody', subject: { kind: 'anonymous' as const } }]
  for (const { id, is_private } of repositories) {
    const label = `a job of repository ${id}`
    if (!is_private) continue
    for (const title of [null, 'founder', 'triager', 'outsider']) {
      const actor = title === null ? null : subjectFor(people[title] as Owner)
      for (const unit of ['repo.code', 'repo.issues'] as const) {
        const job = { repositoryId: id, units: { [unit]: 'read' as const }, actor }
        programs.push({ label: `${label} for ${title} with ${unit}`, subject: { kind: 'anonymous', job } })
      }
    }
  }
  // The time of this process, which can differ from the database's.
  const now = new Date('2020-01-01T00:00:00Z')
  const minutesFromNow = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
  const keyOf = async (expires_at: Date | null) => {
    const key = await makeDeployKey(database.db, repositories.slice(-2), { expires_at })
    return { kind: 'anonymous', deployKey: { id: key.id, asOf: now } } as const
  }
  programs.push({ label: 'a deploy key', subject: await keyOf(null) })
  programs.push({ label: 'a deploy key with a minute left', subject: await keyOf(minutesFromNow(1)) })
  programs.push({ label: 'an expired deploy key', subject: await keyOf(minutesFromNow(-1)) })
  for (const [title, { id, is_admin }] of Object.entries(people)) {
    for (const isRestricted of flags) {
      for (const publicOnly of flags) {
        const label = `${title}${isRestricted ? ', restricted' : ''}${publicOnly ? ', public data only' : ''}`
        subjects.push({ label, subject: { kind: 'user', id, isAdmin: is_admin, isRestricted, publicOnly } })
      }
    }
  }
})
afterAll(() => database.close())

const isOwnOrGranted = (access: RepositoryAccess): boolean =>
  units.some(unit =>
    access.units[unit].reasons.some(({ source }) => source !== 'siteAdmin' && source !== 'public'),
  )

async function seenOneByOne(
  subject: Subject,
  rows: RepositoryRow[],
  isWanted: (access: RepositoryAccess) => boolean = maySeeRepository,
): Promise<number[]> {
  const refs = rows.map(row => ({ ...row, owner: owners.get(row.owner_id) as Owner }))
  const accesses = await repositoryAccesses(database.db, subject, refs)
  return rows.flatMap((row, index) => {
    const access = accesses[index]
    return access && isWanted(access) ? [row.id] : []
  })
}

it('visibleRepositories selects exactly the repositories that decideRepositoryAccess lets each subject see', async () => {
  expect(repositories).toHaveLength(24)
  for (const { label, subject } of [...subjects, ...programs]) {
    const rows = await database.db
      .selectFrom('repositories')
      .select('id')
      .where(visibleRepositories(subject))
      .orderBy('id')
      .execute()
    const ids = rows.map(row => row.id)
    expect(ids, label).toEqual(await seenOneByOne(subject, repositories))
  }
})

it('visibleRepositories with a unit selects exactly the repositories in which each subject can read that unit', async () => {
  for (const { label, subject } of [...subjects, ...programs]) {
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
        `${label}, ${unit}`,
      ).toEqual(readable.map(row => row.id))
    }
  }
})

it('visibleRepositories selects for everyone who is signed in at least the repositories that anonymous visitors see', async () => {
  const { db } = database
  const seenBy = async (subject: Subject) => {
    const of = (kind: 'person' | 'organization') =>
      db.selectFrom('users').select('id').where('kind', '=', kind)
    const people = visiblePeople(subject)
    const rows = await Promise.all([
      (people ? of('person').where(people) : of('person')).execute(),
      of('organization').where(visibleOrganizations(subject)).execute(),
      db.selectFrom('repositories').select('id').where(visibleRepositories(subject)).execute(),
    ])
    return rows.map(found => found.map(({ id }) => id))
  }
  const open = await seenBy({ kind: 'anonymous' })
  expect(open.every(ids => ids.length > 0)).toBe(true)
  for (const { label, subject } of [...subjects, ...programs]) {
    const seen = await seenBy(subject)
    for (const [kind, ids] of open.entries()) expect(seen[kind], label).toEqual(expect.arrayContaining(ids))
  }
})

it('scopeOfOwner lists and counts exactly the owner’s repositories that each subject can see', async () => {
  for (const { label, subject } of subjects) {
    for (const owner of owners.values()) {
      const all = repositories.filter(row => row.owner_id === owner.id)
      const isMember = subject.kind === 'user' && (await isIn(subject.id, owner.id))
      if (all.length === 0 || !maySeeOwner(subject, owner, isMember)) continue
      const scope = await scopeOfOwner(database.db, subject, owner, isMember)
      const rows = await selectInScope(database.db, scope, { page: 1, limit: 50 })
      const seen = await seenOneByOne(subject, all)
      const label2 = `${label} of ${owner.kind} ${owner.visibility}`
      expect(rows.map(row => row.id).sort(), label2).toEqual(seen.sort())
      expect(await countInScope(database.db, scope), label2).toBe(seen.length)
    }
  }
})

it('scopeOfOwn lists and counts exactly the visible repositories that a person owns or was granted access to', async () => {
  for (const { label, subject } of subjects) {
    if (subject.kind === 'anonymous') continue
    const { visibility } = owners.get(subject.id) as Owner
    const scope = await scopeOfOwn(database.db, subject, visibility)
    const rows = await selectInScope(database.db, scope, { page: 1, limit: 50 })
    const own = await seenOneByOne(subject, repositories, isOwnOrGranted)
    expect(rows.map(row => row.id).sort(), label).toEqual(own.sort())
    expect(await countInScope(database.db, scope), label).toBe(own.length)
  }
})

it('visiblePeople and visibleOrganizations select exactly the accounts that each subject is allowed to see', async () => {
  const { db } = database
  const rows = [...owners.values()]
  for (const { label, subject } of subjects) {
    const isOpen = ({ visibility }: Owner) =>
      !(subject.kind === 'user' && subject.publicOnly) || visibility === 'public'
    const people = rows.filter(row => row.kind === 'person' && maySeePerson(subject, row) && isOpen(row))
    const organizations: Owner[] = []
    for (const row of rows.filter(({ kind }) => kind === 'organization')) {
      if ((await organizationAccess(db, subject, row)).visible && isOpen(row)) organizations.push(row)
    }
    const ids = (found: { id: number }[]) => found.map(({ id }) => id).sort()
    const selectOf = (kind: 'person' | 'organization') =>
      db.selectFrom('users').select('id').where('kind', '=', kind)
    const visible = visiblePeople(subject)
    const shown = visible ? selectOf('person').where(visible) : selectOf('person')
    expect(ids(await shown.execute()), `people for ${label}`).toEqual(ids(people))
    const orgs = selectOf('organization').where(visibleOrganizations(subject))
    expect(ids(await orgs.execute()), `organizations for ${label}`).toEqual(ids(organizations))
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
  return owner.visibility === 'limited' && !subject.isRestricted
}
