import { describe, expect, it } from 'vitest'
import { Browser, signIn } from '@/testing/browser'
import { call } from '@/testing/call'
import { makeLoginSource, makePerson, withPassword } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const new_password = 'another password'

describe('changing the password', () => {
  it('keeps the current session, ends all others, and makes only the new password valid', async () => {
    const ada = await makePerson(site)
    const [here, elsewhere] = [await signIn(site, ada), await signIn(site, ada)]
    const answer = await here.mutate('users.changePassword', { current_password: ada.password, new_password })
    expect(answer.status).toBe(200)
    expect((await here.query('sessions.getCurrent')).data.user.login).toBe(ada.name)
    expect((await elsewhere.query('sessions.getCurrent')).data).toBeNull()
    expect((await call(site, 'GET', '/user', { as: withPassword(ada) })).status).toBe(401)
    expect((await call(site, 'GET', '/user', { as: { basic: [ada.name, new_password] } })).status).toBe(200)
  })

  it.each([
    [
      'the current one is wrong',
      { current_password: 'wrong password', new_password },
      422,
      'current_password',
    ],
    [
      'the new one is the same',
      { current_password: 'correct horse battery', new_password: 'correct horse battery' },
      422,
      'new_password',
    ],
    [
      'the new one is too short',
      { current_password: 'correct horse battery', new_password: 'short' },
      400,
      'new_password',
    ],
  ])('is rejected without changes if %s', async (_, input, status, field) => {
    const ada = await makePerson(site)
    const [here, elsewhere] = [await signIn(site, ada), await signIn(site, ada)]
    const answer = await here.mutate('users.changePassword', input)
    expect([answer.status, answer.error?.data.field]).toEqual([status, field])
    expect((await elsewhere.query('sessions.getCurrent')).data).not.toBeNull()
    expect((await call(site, 'GET', '/user', { as: withPassword(ada) })).status).toBe(200)
  })

  it('returns 403 for an account with an external password', async () => {
    const ada = await makePerson(site)
    const browser = await signIn(site, ada)
    const login_source_id = await makeLoginSource(site)
    await site.db
      .updateTable('users')
      .set({ login_type: 'ldap', login_source_id })
      .where('id', '=', ada.account.id)
      .execute()
    const answer = await browser.mutate('users.changePassword', {
      current_password: ada.password,
      new_password,
    })
    expect(answer.status).toBe(403)
  })

  it('returns 401 to visitors who are not signed in', async () => {
    const input = { current_password: 'x', new_password }
    expect((await new Browser(site).mutate('users.changePassword', input)).status).toBe(401)
  })
})

describe('a user who must change the password', () => {
  it('can sign in and is informed of it', async () => {
    const ada = await makePerson(site, { must_change_password: true })
    expect((await (await signIn(site, ada)).query('sessions.getCurrent')).data.must_change_password).toBe(
      true,
    )
  })

  it('gets 403 for everything else', async () => {
    const ada = await makePerson(site, { must_change_password: true, is_admin: true })
    const browser = await signIn(site, ada)
    for (const procedure of ['users.getMe', 'keys.listMine', 'users.list', 'blocks.list']) {
      const answer = await browser.query(procedure, {})
      expect([procedure, answer.status]).toEqual([procedure, 403])
    }
    expect((await browser.mutate('users.updateSettings', { location: 'x' })).status).toBe(403)
  })

  it('can use everything after changing it', async () => {
    const ada = await makePerson(site, { must_change_password: true })
    const browser = await signIn(site, ada)
    await browser.mutate('users.changePassword', { current_password: ada.password, new_password })
    expect((await browser.query('users.getMe')).status).toBe(200)
  })
})

it('setting a user’s password as an administrator ends all of the user’s sessions', async () => {
  const [root, bob] = [await makePerson(site, { is_admin: true }), await makePerson(site)]
  const [adminBrowser, browser] = [await signIn(site, root), await signIn(site, bob)]
  const answer = await adminBrowser.mutate('users.edit', { username: bob.name, password: new_password })
  expect(answer.status).toBe(200)
  expect((await browser.query('sessions.getCurrent')).data).toBeNull()
})
