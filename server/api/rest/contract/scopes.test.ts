import { describe, expect, it } from 'vitest'
import type { Scope } from '@/server/kernel/scopes'
import { call } from '@/testing/call'
import { makePerson, makeToken, withPassword } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

async function statusWith(scopes: Scope[], method: string, path: string, body?: unknown): Promise<number> {
  const root = await makePerson(site, { is_admin: true })
  const token = await makeToken(site, root.account.id, scopes)
  return (await call(site, method, path, { as: { token }, body })).status
}

describe('a token is held to its scopes', () => {
  it.each<[Scope]>([['read:user'], ['write:user'], ['all']])('200: %s reads', async scope => {
    expect(await statusWith([scope], 'GET', '/user')).toBe(200)
  })

  it.each<[Scope, number]>([
    ['write:user', 200],
    ['all', 200],
    ['read:user', 403],
  ])('%s writes: %d', async (scope, status) => {
    expect(await statusWith([scope], 'PATCH', '/user/settings', { location: 'Paris' })).toBe(status)
  })

  it.each<[string, string]>([
    ['GET', '/user'],
    ['GET', '/user/keys'],
    ['GET', '/user/keys/1'],
    ['POST', '/user/keys'],
    ['DELETE', '/user/keys/1'],
    ['GET', '/user/emails'],
    ['GET', '/user/settings'],
    ['GET', '/user/blocks'],
    ['PUT', '/user/blocks/x'],
    ['GET', '/users/search'],
    ['GET', '/users/x'],
    ['GET', '/users/x/keys'],
    ['GET', '/admin/users'],
    ['POST', '/admin/users'],
    ['PATCH', '/admin/users/x'],
    ['DELETE', '/admin/users/x'],
    ['POST', '/admin/users/x/keys'],
  ])(
    '403: %s %s needs a scope that other categories do not give, and tells so before anything else',
    async (method, path) => {
      const others: Scope[] = ['write:repository', 'write:organization', 'write:misc']
      expect(await statusWith(others, method, path, method === 'GET' ? undefined : {})).toBe(403)
    },
  )

  it.each(['/version', '/settings/api', '/settings/attachment', '/settings/repository', '/settings/ui'])(
    '200: %s needs none',
    async path => {
      expect(await statusWith(['read:misc'], 'GET', path)).toBe(200)
    },
  )

  it('403: the message names what is required and what the token has', async () => {
    const ada = await makePerson(site)
    const token = await makeToken(site, ada.account.id, ['read:repository', 'read:user'])
    const answer = await call(site, 'POST', '/user/keys', { as: { token }, body: {} })
    expect(answer.body).toEqual({
      message:
        'token does not have at least one of required scope(s), required=[write:user], ' +
        'token scope=read:repository,read:user',
      url: `${site.url}/api/docs`,
    })
  })

  it('HEAD counts as reading', async () => {
    expect(await statusWith(['read:user'], 'HEAD', '/user')).toBe(200)
  })
})

describe('a token limited to public data', () => {
  const scopes: Scope[] = ['public-only', 'all']

  it.each(['/user/keys', '/user/keys/1', '/user/emails', '/user/settings', '/user/blocks'])(
    '403: %s is closed to it',
    async path => {
      const ada = await makePerson(site)
      const token = await makeToken(site, ada.account.id, scopes)
      const answer = await call(site, 'GET', path, { as: { token } })
      expect([answer.status, answer.body.message]).toEqual([
        403,
        'this endpoint is not available for public-only tokens',
      ])
    },
  )

  it('403: an account that is not public is closed to it, where the same person’s password opens it', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site, { visibility: 'limited' })]
    const token = await makeToken(site, ada.account.id, scopes)
    for (const path of [`/users/${bob.name}`, `/users/${bob.name}/keys`]) {
      const answer = await call(site, 'GET', path, { as: { token } })
      expect([answer.status, answer.body.message]).toEqual([403, 'token scope is limited to public users'])
      expect((await call(site, 'GET', path, { as: withPassword(ada) })).status).toBe(200)
    }
  })

  it('404: an account hidden from the person is not told apart from an absent one', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site, { visibility: 'private' })]
    const token = await makeToken(site, ada.account.id, scopes)
    expect((await call(site, 'GET', `/users/${bob.name}`, { as: { token } })).status).toBe(404)
  })

  it('200: public accounts and their keys are open to it', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const token = await makeToken(site, ada.account.id, scopes)
    for (const path of ['/user', `/users/${bob.name}`, `/users/${bob.name}/keys`, '/users/search']) {
      expect((await call(site, 'GET', path, { as: { token } })).status).toBe(200)
    }
  })

  it('200: a search leaves out what is not public', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site, { visibility: 'limited' })]
    const token = await makeToken(site, ada.account.id, scopes)
    const path = `/users/search?q=${bob.name}`
    expect((await call(site, 'GET', path, { as: ada })).body.data).toHaveLength(1)
    expect((await call(site, 'GET', path, { as: { token } })).body.data).toEqual([])
  })
})
