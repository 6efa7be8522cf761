import { describe, expect, it } from 'vitest'
import { makeKey } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { newKey } from '@/testing/keys'
import { makePerson, makeToken, withPassword } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const makeAdmin = () => makePerson(site, { is_admin: true })

describe('the Sudo header', () => {
  it('lets an administrator act as the named user (200)', async () => {
    const [root, bob] = [await makeAdmin(), await makePerson(site)]
    const headers = { Sudo: bob.name.toUpperCase() }
    for (const as of [root, withPassword(root)]) {
      const { body } = await call(site, 'GET', '/user', { as, headers })
      expect(body).toMatchObject({ login: bob.name, is_admin: false, email: bob.account.email })
    }
  })

  it('can be replaced by the sudo query parameter (200)', async () => {
    const [root, bob] = [await makeAdmin(), await makePerson(site)]
    expect((await call(site, 'GET', `/user?sudo=${bob.name}`, { as: root })).body.login).toBe(bob.name)
  })

  it('assigns created objects to the named user (201)', async () => {
    const [root, bob] = [await makeAdmin(), await makePerson(site)]
    const body = { title: 'x', key: newKey().text }
    const answer = await call(site, 'POST', '/user/keys', { as: root, headers: { Sudo: bob.name }, body })
    expect([answer.status, answer.body.user.login]).toEqual([201, bob.name])
  })

  it('applies the permissions of the named user, not the administrator’s (403)', async () => {
    const [root, bob] = [await makeAdmin(), await makePerson(site)]
    const key = await makeKey(site.db, root.account.id)
    const headers = { Sudo: bob.name }
    expect((await call(site, 'GET', '/admin/users', { as: root, headers })).status).toBe(403)
    expect((await call(site, 'DELETE', `/user/keys/${key.id}`, { as: root, headers })).status).toBe(403)
  })

  it('does not extend the token’s scopes (403)', async () => {
    const [root, bob] = [await makeAdmin(), await makePerson(site)]
    const token = await makeToken(site, root.account.id, ['read:repository'])
    const answer = await call(site, 'GET', '/user', { as: { token }, headers: { Sudo: bob.name } })
    expect(answer.status).toBe(403)
  })

  it('returns 403 to anyone but administrators, even for themselves and on public endpoints', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    for (const [path, name] of [
      ['/user', bob.name],
      ['/user', ada.name],
      ['/version', 'nobody-here'],
    ] as const) {
      const answer = await call(site, 'GET', path, { as: ada, headers: { Sudo: name } })
      expect([answer.status, answer.body.message]).toEqual([403, 'Only administrators allowed to sudo.'])
    }
  })

  it.each(['nobody-here', "' or 1=1 --", 'x'.repeat(2000)])(
    'returns 404 for the unknown user %s',
    async name => {
      const answer = await call(site, 'GET', '/user', { as: await makeAdmin(), headers: { Sudo: name } })
      expect([answer.status, answer.body.message]).toEqual([404, 'not found'])
    },
  )

  it('is ignored without credentials (401)', async () => {
    const root = await makeAdmin()
    expect((await call(site, 'GET', '/user', { headers: { Sudo: root.name } })).status).toBe(401)
  })
})

it('an event under Sudo names the administrator as actor and the named user as owner', async () => {
  const [root, ada] = [await makePerson(site, { is_admin: true }), await makePerson(site)]
  const body = { title: 'by sudo', key: newKey().text }
  await call(site, 'POST', '/user/keys', { as: root, body, headers: { Sudo: ada.name } })
  const event = await site.db
    .selectFrom('events')
    .select(['actor_id', 'owner_id'])
    .where('kind', '=', 'key.added')
    .where('owner_id', '=', ada.account.id)
    .executeTakeFirst()
  expect(event).toEqual({ actor_id: root.account.id, owner_id: ada.account.id })
})
