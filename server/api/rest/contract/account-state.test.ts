import { describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { makePerson, withPassword } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

const states = [
  ['not active', { is_active: false }, () => 'This account is not activated.'],
  [
    'prohibited from signing in',
    { prohibit_login: true },
    () => 'This account is prohibited from signing in, please contact your site administrator.',
  ],
  [
    'bound to change its password first',
    { must_change_password: true },
    () => `You must change your password. Change it at: ${site.url}/user/settings/password`,
  ],
] as const

describe.each(states)('an account %s', (_, state, message) => {
  it('gets 403 with a token', async () => {
    const ada = await makePerson(site, state)
    const answer = await call(site, 'GET', '/user', { as: ada })
    expect([answer.status, answer.body.message]).toEqual([403, message()])
  })

  it('gets 403 with its password, even from endpoints that need no credentials', async () => {
    const ada = await makePerson(site, state)
    const answer = await call(site, 'GET', '/version', { as: withPassword(ada) })
    expect([answer.status, answer.body.message]).toEqual([403, message()])
  })

  it("gets a plain 401 with a wrong password, which does not reveal the account's state", async () => {
    const ada = await makePerson(site, state)
    const answer = await call(site, 'GET', '/user', { as: { basic: [ada.name, 'wrong'] } })
    expect([answer.status, answer.body.message]).toEqual([401, 'invalid username, password or token'])
  })
})

it('a changed account state applies to the next call', async () => {
  const ada = await makePerson(site)
  expect((await call(site, 'GET', '/user', { as: ada })).status).toBe(200)
  await site.db.updateTable('users').set({ prohibit_login: true }).where('id', '=', ada.account.id).execute()
  expect((await call(site, 'GET', '/user', { as: ada })).status).toBe(403)
})
