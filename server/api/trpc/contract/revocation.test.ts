import { describe, expect, it } from 'vitest'
import { makeKey, makeRepository } from '@/db/testing/factories'
import { signIn } from '@/testing/browser'
import { call } from '@/testing/call'
import { makeLoginSource, makePerson, makeToken, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

/** Creates a user with two keys, a token, two sessions, and a third key that is managed by a directory. */
async function makeHolder() {
  const person = await makePerson(site)
  const { id } = person.account
  const keys = [await makeKey(site.db, id), await makeKey(site.db, id)]
  const login_source_id = await makeLoginSource(site, { providesSshKeys: true })
  const managed = await makeKey(site.db, id, { title: 'from the directory', login_source_id })
  const token = await makeToken(site, id, ['all'])
  const [here, elsewhere] = [await signIn(site, person), await signIn(site, person)]
  return { person, keys, managed, token, here, elsewhere }
}

const eventsOf = async (person: Person, kind: string) => {
  const rows = await site.db
    .selectFrom('events')
    .select(['actor_id', 'data'])
    .where('owner_id', '=', person.account.id)
    .where('kind', '=', kind)
    .orderBy('id')
    .execute()
  return rows
}

const holdings = async ({ account: { id } }: Person) => {
  const count = async (rows: Promise<unknown[]>) => (await rows).length
  return await Promise.all([
    count(site.db.selectFrom('public_keys').select('id').where('owner_id', '=', id).execute()),
    count(site.db.selectFrom('access_tokens').select('id').where('user_id', '=', id).execute()),
    count(site.db.selectFrom('sessions').select('id').where('user_id', '=', id).execute()),
  ])
}

describe('removals.revokeOwn', () => {
  it('revokes all keys, tokens, and sessions, even the current one, and names the keys managed by a directory', async () => {
    const { person, keys, token, here, elsewhere } = await makeHolder()
    const password = { current_password: person.password }
    const { data: before } = await here.query('removals.previewRevokeOwn')
    const [, tokens] = await holdings(person)
    expect(before).toEqual({
      keys: 2,
      tokens,
      sessions: 2,
      registration_token: false,
      offers: 0,
      kept_keys: { total: 1, names: ['from the directory'] },
    })
    expect(await holdings(person)).toEqual([3, tokens, 2])

    const answer = await here.mutate('removals.revokeOwn', password)
    expect(answer.data).toEqual(before)
    expect(answer.headers.get('set-cookie')).toContain('Max-Age=0')
    expect(await holdings(person)).toEqual([1, 0, 0])
    for (const browser of [here, elsewhere]) {
      expect((await browser.query('sessions.getCurrent')).data).toBeNull()
    }
    expect((await call(site, 'GET', '/user', { as: { token } })).status).toBe(401)

    const actor_id = person.account.id
    const removed = await eventsOf(person, 'key.removed')
    expect(removed).toMatchObject(
      keys.map(key => ({ actor_id, data: { keyId: key.id, title: key.title, shown: { key: key.content } } })),
    )
    expect(await eventsOf(person, 'token.removed')).toHaveLength(tokens)
    expect(await eventsOf(person, 'session.ended')).toMatchObject([{ data: { count: 2 } }])
    expect(await eventsOf(person, 'account.revoked')).toMatchObject([
      { actor_id, data: { name: person.name, keys: keys.length, tokens, sessions: 2 } },
    ])
  })

  it('returns 422 and revokes nothing without the correct password', async () => {
    const { person, here } = await makeHolder()
    const before = await holdings(person)
    for (const input of [{}, { current_password: 'wrong password' }]) {
      const answer = await here.mutate('removals.revokeOwn', input)
      expect([answer.status, answer.error?.data.field]).toEqual([422, 'current_password'])
    }
    expect(await holdings(person)).toEqual(before)
  })

  it('resets the account’s runner registration token if it was ever read', async () => {
    const { person, here } = await makeHolder()
    const path = '/user/actions/runners/registration-token'
    const { body: before } = await call(site, 'POST', path, { as: person })
    const answer = await here.mutate('removals.revokeOwn', { current_password: person.password })
    expect(answer.data.registration_token).toBe(true)
    expect(await eventsOf(person, 'runner.token_reset')).toMatchObject([{ data: { scope: 'owner' } }])
    const token = await makeToken(site, person.account.id, ['all'])
    const { body: after } = await call(site, 'POST', path, { as: { token } })
    expect(after.token).not.toBe(before.token)
  })

  it('requires no password for an account with an external one', async () => {
    const { person, here } = await makeHolder()
    const login_source_id = await makeLoginSource(site)
    await site.db
      .updateTable('users')
      .set({ login_type: 'ldap', login_source_id })
      .where('id', '=', person.account.id)
      .execute()
    expect((await here.mutate('removals.revokeOwn', {})).data).toMatchObject({ keys: 2, sessions: 2 })
  })
})

describe('removals.revokeOf', () => {
  it('cancels the transfers offered by the account, but not those offered to it', async () => {
    const [person, other] = [await makePerson(site), await makePerson(site)]
    const offer = async (from: Person, to: Person) => {
      const { id, name } = await makeRepository(site.db, from.account.id)
      await call(site, 'POST', `/repos/${from.name}/${name}/transfer`, {
        as: from,
        body: { new_owner: to.name },
      })
      return id
    }
    await offer(person, other)
    const received = await offer(other, person)
    const browser = await signIn(site, await makePerson(site, { is_admin: true }))
    const path = { username: person.name }
    expect((await browser.query('removals.previewRevokeOf', path)).data.offers).toBe(1)
    expect((await browser.mutate('removals.revokeOf', path)).data.offers).toBe(1)
    const left = await site.db.selectFrom('repository_transfers').select('repository_id').execute()
    expect(left.map(row => row.repository_id)).toEqual([received])
    expect(await eventsOf(person, 'repository.transfer_canceled')).toHaveLength(1)
  })

  it('lets an administrator revoke another user’s credentials and stay signed in', async () => {
    const { person } = await makeHolder()
    const root = await makePerson(site, { is_admin: true })
    const browser = await signIn(site, root)
    const path = { username: person.name }
    const { data: before } = await browser.query('removals.previewRevokeOf', path)
    expect((await browser.mutate('removals.revokeOf', path)).data).toEqual(before)
    expect(await holdings(person)).toEqual([1, 0, 0])
    expect((await eventsOf(person, 'session.ended'))[0]?.actor_id).toBe(root.account.id)
    expect((await browser.query('sessions.getCurrent')).data.user.login).toBe(root.name)
  })

  it('is also available as POST /admin/users/{username}/revoke, which returns 200', async () => {
    const { person } = await makeHolder()
    const root = await makePerson(site, { is_admin: true })
    const answer = await call(site, 'POST', `/admin/users/${person.name}/revoke`, { as: root })
    expect([answer.status, answer.body.keys, answer.body.sessions]).toEqual([200, 2, 2])
    expect(await holdings(person)).toEqual([1, 0, 0])
  })

  it('returns 422 for the caller’s own account, 403 to other users, and 404 for an unknown user', async () => {
    const { person, here } = await makeHolder()
    const root = await makePerson(site, { is_admin: true })
    const browser = await signIn(site, root)
    const statusOf = async (who: typeof here, username: string) =>
      (await who.mutate('removals.revokeOf', { username })).status
    expect(await statusOf(browser, root.name)).toBe(422)
    expect(await statusOf(here, person.name)).toBe(403)
    expect(await statusOf(browser, 'nobody-here')).toBe(404)
    expect((await here.query('removals.previewRevokeOf', { username: root.name })).status).toBe(403)
  })
})

describe('a site where users cannot manage their keys', () => {
  const strict = useSite({ disabledFeatures: new Set(['manage_ssh_keys']) })

  it('lets an administrator revoke all of them', async () => {
    const person = await makePerson(strict)
    await makeKey(strict.db, person.account.id)
    const browser = await signIn(strict, await makePerson(strict, { is_admin: true }))
    const { data } = await browser.mutate('removals.revokeOf', { username: person.name })
    expect(data).toMatchObject({ keys: 1, kept_keys: { total: 0 } })
  })
})
