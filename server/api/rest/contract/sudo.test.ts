import { describe, expect, it } from 'vitest'
import { makeKey } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { newKey } from '@/testing/keys'
import { makePerson, makeToken, withPassword } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const makeAdmin = () => makePerson(site, { is_admin: true })

describe('Sudo', () => {
  it('200: an administrator acts as the person named in the header', async () => {
    const [root, bob] = [await makeAdmin(), await makePerson(site)]
    const headers = { Sudo: bob.name.toUpperCase() }
    for (const as of [root, withPassword(root)]) {
      const { body } = await call(site, 'GET', '/user', { as, headers })
      expect(body).toMatchObject({ login: bob.name, is_admin: false, email: bob.account.email })
    }
  })

  it('200: or in the query', async () => {
    const [root, bob] = [await makeAdmin(), await makePerson(site)]
    expect((await call(site, 'GET', `/user?sudo=${bob.name}`, { as: root })).body.login).toBe(bob.name)
  })

  it('201: what is made belongs to the person named', async () => {
    const [root, bob] = [await makeAdmin(), await makePerson(site)]
    const body = { title: 'x', key: newKey().text }
    const answer = await call(site, 'POST', '/user/keys', { as: root, headers: { Sudo: bob.name }, body })
    expect([answer.status, answer.body.user.login]).toEqual([201, bob.name])
  })

  it('403: with the rights of the person named, not the administrator’s', async () => {
    const [root, bob] = [await makeAdmin(), await makePerson(site)]
    const key = await makeKey(site.db, root.account.id)
    const headers = { Sudo: bob.name }
    expect((await call(site, 'GET', '/admin/users', { as: root, headers })).status).toBe(403)
    expect((await call(site, 'DELETE', `/user/keys/${key.id}`, { as: root, headers })).status).toBe(403)
  })

  it('403: the token keeps its own scopes', async () => {
    const [root, bob] = [await makeAdmin(), await makePerson(site)]
    const token = await makeToken(site, root.account.id, ['read:repository'])
    const answer = await call(site, 'GET', '/user', { as: { token }, headers: { Sudo: bob.name } })
    expect(answer.status).toBe(403)
  })

  it('403: nobody but administrators, not even as themselves or where nobody needs credentials', async () => {
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

  it.each(['nobody-here', "' or 1=1 --", 'x'.repeat(2000)])('404: %s does not exist', async name => {
    const answer = await call(site, 'GET', '/user', { as: await makeAdmin(), headers: { Sudo: name } })
    expect([answer.status, answer.body.message]).toEqual([404, 'not found'])
  })

  it('401: without credentials it means nothing', async () => {
    const root = await makeAdmin()
    expect((await call(site, 'GET', '/user', { headers: { Sudo: root.name } })).status).toBe(401)
  })
})

it('the record of what was done names the administrator who did it, and the person it was done to', async () => {
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
