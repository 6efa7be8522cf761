import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makeOrg, makeRelease, makeRepository } from '@/db/testing/factories'
import { allow } from '@/server/access/allowed'
import { blockUser } from '@/server/blocks/block'
import { addHook } from '@/server/hooks/add'
import { changeHook } from '@/server/hooks/edit'
import { loadHook, loadHookScope } from '@/server/hooks/load'
import { removeHook } from '@/server/hooks/remove'
import { requireAdmin } from '@/server/kernel/caller'
import type { AdminCtx, UserCtx } from '@/server/kernel/ctx'
import { errorTable, isDomainError } from '@/server/kernel/errors'
import { addKey } from '@/server/keys/add'
import { jobContext } from '@/server/services'
import { openSession } from '@/server/sessions/open'
import { createToken } from '@/server/tokens/create'
import { removeUser } from '@/server/users/remove'
import { updateSettings } from '@/server/users/settings'
import { call } from '@/testing/call'
import { makeCommittedRepository } from '@/testing/git-repository'
import { makeHook } from '@/testing/hooks'
import { newKey } from '@/testing/keys'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const makeAdmin = () => makePerson(site, { is_admin: true })

const remove = (as: Person, person: Person) => call(site, 'DELETE', `/admin/users/${person.name}`, { as })

const contextFor = ({ account }: Pick<Person, 'account'>): UserCtx => ({
  ...jobContext(site.services, 'test'),
  caller: { kind: 'user', user: account, credential: { kind: 'password' } },
})

const asAdmin = (ctx: UserCtx): AdminCtx => ({ ...ctx, caller: requireAdmin(ctx.caller) })

const overHttp = async (as: Person, person: Person) => (await remove(as, person)).status

async function asVerb(as: Person, person: Person): Promise<number> {
  try {
    await removeUser(asAdmin(contextFor(as)), person.name)
    return 204
  } catch (error) {
    if (isDomainError(error)) return errorTable[error.kind].status
    throw error
  }
}

async function deletions({ name }: Person): Promise<number> {
  const events = await site.db
    .selectFrom('events')
    .select('data')
    .where('kind', '=', 'user.deleted')
    .execute()
  return events.filter(event => (event.data as { name: string }).name === name).length
}

describe('concurrent administrators', () => {
  it('get 204 and 404 when both delete the same user, and one event is recorded', async () => {
    const admins = [await makeAdmin(), await makeAdmin()]
    // Requests over HTTP rarely overlap; verbs started together both find the account before either deletes
    // it.
    for (const start of [overHttp, asVerb]) {
      const bob = await makePerson(site)
      const statuses = await Promise.all(admins.map(admin => start(admin, bob)))
      expect(statuses.sort()).toEqual([204, 404])
      expect(await deletions(bob)).toBe(1)
    }
  })

  it('get 204 and 200 or 404, never 500, when one deletes a user and the other edits the user', async () => {
    const [one, two] = [await makeAdmin(), await makeAdmin()]
    const changes = Array.from({ length: 5 }, () => [{ location: 'Paris' }, { password: 'another password' }])
    for (const body of changes.flat()) {
      const bob = await makePerson(site)
      const path = `/admin/users/${bob.name}`
      const [removed, changed] = await Promise.all([
        remove(one, bob),
        call(site, 'PATCH', path, { as: two, body }),
      ])
      expect(removed.status).toBe(204)
      expect([200, 404]).toContain(changed.status)
    }
  })

  it('never get 500 when they delete each other', async () => {
    await makeAdmin()
    const [one, two] = [await makeAdmin(), await makeAdmin()]
    const answers = await Promise.all([remove(one, two), remove(two, one)])
    const statuses = answers.map(answer => answer.status)
    expect(statuses.filter(status => status === 204)).toHaveLength(1)
    expect(statuses.every(status => [204, 401, 404].includes(status))).toBe(true)
  })
})

describe('a webhook', () => {
  const newHook = { type: 'gitea', config: { url: 'https://ci.example.test/', content_type: 'json' } }
  const own = { kind: 'own' } as const

  it('cannot be changed or deleted again if it was deleted after the request was authorized, and no event is recorded', async () => {
    const ctx = contextFor(await makePerson(site))
    const { id } = await addHook(ctx, await loadHookScope(ctx, own), newHook)
    const found = await loadHook(ctx, own, id)
    await removeHook(ctx, found)
    const late = [changeHook(ctx, found, () => ({ name: 'x' })), removeHook(ctx, found)]
    for (const outcome of await Promise.allSettled(late)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { kind: 'notFound' } })
    }
    const kinds = await site.db
      .selectFrom('events')
      .select('kind')
      .where('owner_id', '=', ctx.caller.user.id)
      .orderBy('id')
      .execute()
    expect(kinds.map(({ kind }) => kind)).toEqual(['hook.added', 'hook.removed'])
  })

  it('cannot be created for an account or repository that was deleted after the request was authorized', async () => {
    const owner = await makePerson(site)
    const ctx = contextFor(owner)
    const repository = await makeRepository(site.db, owner.account.id)
    const inputs = [own, { kind: 'repository', owner: owner.name, repo: repository.name } as const]
    const loaded = await Promise.all(inputs.map(input => loadHookScope(ctx, input)))
    await site.db.deleteFrom('repositories').where('id', '=', repository.id).execute()
    await site.db.deleteFrom('users').where('id', '=', owner.account.id).execute()
    for (const input of loaded) {
      await expect(addHook(ctx, input, newHook)).rejects.toMatchObject({ kind: 'notFound' })
    }
  })
})

describe('concurrent changes of releases', () => {
  it('never return 500 while their repository or publisher is being deleted', async () => {
    const [admin, owner] = [await makeAdmin(), await makePerson(site)]
    for (let round = 0; round < 5; round++) {
      const publisher = await makePerson(site)
      const repository = await makeCommittedRepository(site, owner.account)
      const values = { publisher_id: publisher.account.id, is_draft: true }
      const releases = [
        await makeRelease(site.db, repository.id, values),
        await makeRelease(site.db, repository.id, values),
      ]
      const path = `/repos${repository.path}`
      const send = (method: string, at: string, body?: object) =>
        call(site, method, `${path}${at}`, { as: owner, body })
      const answers = await Promise.all([
        remove(admin, publisher),
        send('PATCH', `/releases/${releases[0]?.id}`, { name: 'New' }),
        send('PATCH', `/releases/${releases[0]?.id}`, { draft: false }),
        send('POST', '/releases', { tag_name: 'v1' }),
        send('DELETE', `/releases/${releases[1]?.id}`),
        send('DELETE', ''),
        send('POST', '/releases', { tag_name: 'v2', draft: true }),
      ])
      for (const { status } of answers) expect([200, 201, 204, 404]).toContain(status)
    }
  })
})

describe('a user deleted after the request was authorized', () => {
  async function deleted(overrides = {}): Promise<UserCtx> {
    const { account } = await makePerson(site, overrides)
    await site.db.deleteFrom('users').where('id', '=', account.id).execute()
    return contextFor({ account })
  }
  const notFound = { kind: 'notFound' }
  const unknown = { kind: 'unauthenticated' }

  it('cannot add a key', async () => {
    const ctx = await deleted()
    await expect(addKey(ctx, { title: 'x', key: newKey().text })).rejects.toMatchObject(unknown)
  })

  it('cannot create a token', async () => {
    const ctx = await deleted()
    const input = { name: 'ci', scopes: ['all'] }
    await expect(createToken(ctx, allow(ctx.caller.user), input)).rejects.toMatchObject(unknown)
  })

  it('cannot block anyone', async () => {
    const bob = await makePerson(site)
    await expect(blockUser(await deleted(), { username: bob.name })).rejects.toMatchObject(notFound)
  })

  it('cannot start a session', async () => {
    const ctx = await deleted()
    await expect(openSession(ctx, ctx.caller.user, '')).rejects.toMatchObject(notFound)
  })

  it('cannot change settings', async () => {
    await expect(updateSettings(await deleted(), { location: 'Paris' })).rejects.toMatchObject(notFound)
  })

  it('cannot delete anyone', async () => {
    const bob = await makePerson(site)
    await expect(removeUser(asAdmin(await deleted({ is_admin: true })), bob.name)).rejects.toMatchObject(
      notFound,
    )
    expect((await call(site, 'GET', '/user', { as: bob })).status).toBe(200)
  })
})

// The embedded database has only one connection, which the deletion would hold.
it.skipIf(!process.env.GUILDHALL_TEST_DATABASE_URL)(
  'changing or deleting a webhook returns 404 while its organization is being deleted, which succeeds',
  async () => {
    const owner = await makePerson(site)
    const org = await makeOrg(site.db, owner.account.id)
    const hooks = [await makeHook(site, { owner_id: org.id }), await makeHook(site, { owner_id: org.id })]
    const deleting = await site.db.startTransaction().execute()
    await sql`select from users where id = ${org.id} for update`.execute(deleting)
    const [changed, removed] = ['PATCH', 'DELETE'].map((method, at) =>
      call(site, method, `/orgs/${org.name}/hooks/${hooks[at]!.id}`, {
        as: owner,
        ...(method === 'PATCH' && { body: { active: false } }),
      }),
    )
    const waits = async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(site.db)
      return rows.length
    }
    await expect.poll(waits).toBe(2)
    await sql`delete from hooks where owner_id = ${org.id}`.execute(deleting)
    await deleting.commit().execute()
    expect([(await changed)?.status, (await removed)?.status]).toEqual([404, 404])
  },
)
