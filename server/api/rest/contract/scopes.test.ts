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

describe('a token with limited scopes', () => {
  it.each<[Scope]>([['read:user'], ['write:user'], ['all']])('can read with %s (200)', async scope => {
    expect(await statusWith([scope], 'GET', '/user')).toBe(200)
  })

  it.each<[Scope, number]>([
    ['write:user', 200],
    ['all', 200],
    ['read:user', 403],
  ])('with %s gets %d for a write', async (scope, status) => {
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
  ])('gets 403 from %s %s before any other check if it lacks the scope’s category', async (method, path) => {
    const others: Scope[] = ['write:repository', 'write:organization', 'write:misc']
    expect(await statusWith(others, method, path, method === 'GET' ? undefined : {})).toBe(403)
  })

  it.each(['/version', '/settings/api', '/settings/attachment', '/settings/repository', '/settings/ui'])(
    'can read %s without a scope (200)',
    async path => {
      expect(await statusWith(['read:misc'], 'GET', path)).toBe(200)
    },
  )

  it('gets 403 with a message that lists the required scope and its own', async () => {
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

  it('needs only read scope for HEAD', async () => {
    expect(await statusWith(['read:user'], 'HEAD', '/user')).toBe(200)
  })
})

describe('a token limited to public data', () => {
  const scopes: Scope[] = ['public-only', 'all']

  it.each(['/user/keys', '/user/keys/1', '/user/emails', '/user/settings', '/user/blocks'])(
    'gets 403 from %s',
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

  it('gets 403 for a limited account, which the same user’s password can read', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site, { visibility: 'limited' })]
    const token = await makeToken(site, ada.account.id, scopes)
    for (const path of [`/users/${bob.name}`, `/users/${bob.name}/keys`]) {
      const answer = await call(site, 'GET', path, { as: { token } })
      expect([answer.status, answer.body.message]).toEqual([403, 'token scope is limited to public users'])
      expect((await call(site, 'GET', path, { as: withPassword(ada) })).status).toBe(200)
    }
  })

  it('gets 404 for an account hidden from its owner', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site, { visibility: 'private' })]
    const token = await makeToken(site, ada.account.id, scopes)
    expect((await call(site, 'GET', `/users/${bob.name}`, { as: { token } })).status).toBe(404)
  })

  it('can read public accounts and their keys (200)', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const token = await makeToken(site, ada.account.id, scopes)
    for (const path of ['/user', `/users/${bob.name}`, `/users/${bob.name}/keys`, '/users/search']) {
      expect((await call(site, 'GET', path, { as: { token } })).status).toBe(200)
    }
  })

  it('finds only public accounts in a search (200)', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site, { visibility: 'limited' })]
    const token = await makeToken(site, ada.account.id, scopes)
    const path = `/users/search?q=${bob.name}`
    expect((await call(site, 'GET', path, { as: ada })).body.data).toHaveLength(1)
    expect((await call(site, 'GET', path, { as: { token } })).body.data).toEqual([])
  })
})
