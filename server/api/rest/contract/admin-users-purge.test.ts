import { access } from 'node:fs/promises'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { addToOrg, addToTeam, makeKey, makeOrg } from '@/db/testing/factories'
import { repositoryPath } from '@/server/repos/storage/paths'
import { signIn } from '@/testing/browser'
import { call } from '@/testing/call'
import { makePerson, makeToken, type Person } from '@/testing/people'
import { openSite, type Site, useSite } from '@/testing/site'

const site = useSite()

/**
 * Creates a user who owns a repository, an organization with a repository, and another organization with a
 * second owner.
 */
async function makeOwner(at: Site = site, overrides: Parameters<typeof makePerson>[1] = {}) {
  const root = await makePerson(at, { is_admin: true })
  const [owner, other] = [await makePerson(at, overrides), await makePerson(at)]
  const alone = await makeOrg(at.db, owner.account.id)
  await addToOrg(at.db, alone.id, other.account.id)
  const shared = await makeOrg(at.db, owner.account.id)
  await addToTeam(at.db, { id: shared.ownersTeamId, org_id: shared.id }, other.account.id)
  const key = await makeKey(at.db, owner.account.id)
  const create = async (path: string, as: Person) =>
    (await call(at, 'POST', path, { as, body: { name: 'work', auto_init: true } })).body.id as number
  const own = await create('/user/repos', owner)
  const ofAlone = await create(`/orgs/${alone.name}/repos`, owner)
  const ofShared = await create(`/orgs/${shared.name}/repos`, owner)
  return { root, owner, other, alone, shared, key, own, ofAlone, ofShared }
}

async function directoryOf(id: number, at: Site = site): Promise<string> {
  const row = await at.db
    .selectFrom('repositories')
    .select('storage_key')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return repositoryPath(at.services.config, row.storage_key)
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
const purge = (as: Person, { name }: Person, query = '?purge=true', at: Site = site) =>
  call(at, 'DELETE', `/admin/users/${name}${query}`, { as })
const statusOf = async (path: string, as: Person, at: Site = site) =>
  (await call(at, 'GET', path, { as })).status

describe('DELETE /admin/users/{username}?purge=true', () => {
  it('returns 204 and deletes everything that the user owns, also on disk, but nothing that others own', async () => {
    const { root, owner, other, alone, shared, own, ofAlone, ofShared } = await makeOwner()
    const deleted = [await directoryOf(own), await directoryOf(ofAlone)]
    const kept = await directoryOf(ofShared)
    const answer = await purge(root, owner)
    expect([answer.status, answer.text]).toEqual([204, ''])
    for (const path of [
      `/users/${owner.name}`,
      `/orgs/${alone.name}`,
      `/repositories/${own}`,
      `/repositories/${ofAlone}`,
    ]) {
      expect([path, await statusOf(path, root)]).toEqual([path, 404])
    }
    expect(await Promise.all(deleted.map(isThere))).toEqual([false, false])
    expect(await statusOf(`/orgs/${shared.name}`, other)).toBe(200)
    expect([await statusOf(`/repositories/${ofShared}`, other), await isThere(kept)]).toEqual([200, true])
    const { rows } = { rows: await site.db.selectFrom('events').select('kind').execute() }
    const kinds = rows.map(({ kind }) => kind)
    for (const kind of ['repository.deleted', 'org.deleted', 'user.deleted']) expect(kinds).toContain(kind)
    expect((await purge(root, owner)).status).toBe(404)
  })

  it.each(['', '?purge=false', '?purge='])(
    'returns 422 without purge=true (%j) and deletes nothing',
    async query => {
      const { root, owner, own } = await makeOwner()
      expect((await purge(root, owner, query)).status).toBe(422)
      expect(await statusOf('/user', owner)).toBe(200)
      expect(await statusOf(`/repositories/${own}`, owner)).toBe(200)
    },
  )

  it('returns 422 for oneself and for the last administrator who can sign in, before anything is deleted', async () => {
    const lonely = await openSite()
    try {
      const { root, owner, own } = await makeOwner(lonely, { is_admin: true })
      expect((await purge(owner, owner, '?purge=true', lonely)).status).toBe(422)
      expect(await statusOf(`/repositories/${own}`, root, lonely)).toBe(200)
      await lonely.db
        .updateTable('users')
        .set({ login_type: 'ldap' })
        .where('id', '=', root.account.id)
        .execute()
      const answer = await purge(root, owner, '?purge=true', lonely)
      expect([answer.status, answer.body.message]).toEqual([
        422,
        expect.stringContaining('last administrator'),
      ])
      expect(await statusOf(`/repositories/${own}`, root, lonely)).toBe(200)
      expect(await statusOf('/user', owner, lonely)).toBe(200)
    } finally {
      await lonely.close()
    }
  })

  it('returns 403 to anyone but administrators, even for their own account, and 404 for an unknown name', async () => {
    const { root, owner, other } = await makeOwner()
    for (const as of [owner, other]) expect((await purge(as, owner)).status).toBe(403)
    expect((await purge(root, { ...owner, name: 'nobody-here' })).status).toBe(404)
    expect(await statusOf('/user', owner)).toBe(200)
  })

  it('returns 403 for an administrator’s token that is limited to public data, before anything is deleted', async () => {
    const { root, owner, own } = await makeOwner()
    const token = await makeToken(site, root.account.id, ['all', 'public-only'])
    const path = `/admin/users/${owner.name}?purge=true`
    expect((await call(site, 'DELETE', path, { as: { token } })).status).toBe(403)
    expect(await statusOf(`/repositories/${own}`, owner)).toBe(200)
  })

  it('returns 204 and completes an earlier purge that was interrupted', async () => {
    const { root, owner, own } = await makeOwner()
    await call(site, 'DELETE', `/repos/${owner.name}/work`, { as: root })
    const edit = { as: root, body: { prohibit_login: true } }
    await call(site, 'PATCH', `/admin/users/${owner.name}`, edit)
    expect((await purge(root, owner)).status).toBe(204)
    expect(await statusOf(`/repositories/${own}`, root)).toBe(404)
  })
})

// The embedded database has only one connection, which the open transaction would hold.
describe.skipIf(!process.env.GUILDHALL_TEST_DATABASE_URL)('a purge', () => {
  const expectWaiting = (words: string) =>
    expect
      .poll(async () => {
        const { rows } = await sql<{ query: string }>`select query from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(site.db)
        return rows.map(({ query }) => query)
      })
      .toEqual([expect.stringContaining(words)])

  it.each([
    ['the repositories of an organization', true],
    ['an organization', false],
  ])('keeps %s if an owner was added after the purge checked it', async (_, hasRepository) => {
    const { root, owner, other, alone, own, ofAlone } = await makeOwner()
    if (!hasRepository) await call(site, 'DELETE', `/repos/${alone.name}/work`, { as: root })
    const adding = await site.db.startTransaction().execute()
    await sql`select from users where id = ${alone.id} for no key update`.execute(adding)
    const purging = purge(root, owner)
    await expectWaiting('"users"')
    await addToTeam(adding, { id: alone.ownersTeamId, org_id: alone.id }, other.account.id)
    await adding.commit().execute()
    expect((await purging).status).toBe(204)
    for (const path of [`/users/${owner.name}`, `/repositories/${own}`]) {
      expect([path, await statusOf(path, root)]).toEqual([path, 404])
    }
    expect(await statusOf(`/repositories/${ofAlone}`, other)).toBe(hasRepository ? 200 : 404)
    const edit = { as: other, body: { full_name: 'Still here' } }
    expect((await call(site, 'PATCH', `/orgs/${alone.name}`, edit)).status).toBe(200)
  })

  it('deletes the account and organizations it started with, even if others have claimed their names since', async () => {
    const { root, owner, alone } = await makeOwner()
    const later = await makeOrg(site.db, owner.account.id, { name: `z${alone.name}` })
    const holding = await site.db.startTransaction().execute()
    await sql`select from users where id = ${alone.id} for no key update`.execute(holding)
    const purging = purge(root, owner)
    await expectWaiting('"users"')
    const post = async (path: string, body: object) =>
      expect((await call(site, 'POST', path, { as: root, body })).status).toBeLessThan(300)
    await post(`/admin/users/${owner.name}/rename`, { new_username: `x${owner.name}` })
    await post(`/orgs/${later.name}/rename`, { new_name: `x${later.name}` })
    const password = 'a long enough password'
    await post('/admin/users', { username: owner.name, email: `${owner.name}2@example.test`, password })
    await post('/orgs', { username: later.name })
    await holding.rollback().execute()
    expect((await purging).status).toBe(204)
    const paths = [
      `/users/${owner.name}`,
      `/orgs/${later.name}`,
      `/users/x${owner.name}`,
      `/orgs/x${later.name}`,
    ]
    const statuses = await Promise.all(paths.map(path => statusOf(path, root)))
    expect(statuses).toEqual([200, 200, 404, 404])
  })
})

describe('removals.purge', () => {
  it('deletes what its preview named, or nothing if that has changed since', async () => {
    const { root, owner, alone, own } = await makeOwner()
    const browser = await signIn(site, root)
    const { data: expected } = await browser.query('removals.previewPurge', { username: owner.name })
    expect(expected).toEqual({
      repositories: { total: 2, names: expect.arrayContaining([`${owner.name}/work`, `${alone.name}/work`]) },
      organizations: { total: 1, names: [alone.name] },
    })
    await call(site, 'POST', '/user/repos', { as: owner, body: { name: 'more' } })
    const stale = await browser.mutate('removals.purge', { username: owner.name, expected })
    expect(stale.status).toBe(409)
    expect(await statusOf(`/repositories/${own}`, owner)).toBe(200)
    const { data: now } = await browser.query('removals.previewPurge', { username: owner.name })
    const done = await browser.mutate('removals.purge', { username: owner.name, expected: now })
    expect(done.status).toBe(200)
    expect(await statusOf(`/users/${owner.name}`, root)).toBe(404)
  })

  it('returns 403 to anyone but administrators', async () => {
    const { owner } = await makeOwner()
    const browser = await signIn(site, owner)
    const input = { username: owner.name }
    expect((await browser.query('removals.previewPurge', input)).status).toBe(403)
    expect((await browser.mutate('removals.purge', input)).status).toBe(403)
  })
})
