import { describe, expect, it } from 'vitest'
import type { Scope } from '@/server/kernel/scopes'
import { call } from '@/testing/call'
import { makePerson, makeToken, type Person, withPassword } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite({ requireAdminScope: true })

async function adminWith(...scopes: Scope[]) {
  const root = await makePerson(site, { is_admin: true })
  return { root, token: await makeToken(site, root.account.id, scopes) }
}

const refusal = expect.stringContaining('needs the scope write:admin')

describe('a site that requires the admin scope to act for others', () => {
  async function answers(root: Person, token: string) {
    const bob = await makePerson(site)
    const as = { basic: [root.name, token] as [string, string] }
    const tokens = `/users/${bob.name}/tokens`
    return [
      await call(site, 'GET', '/user', { as, headers: { Sudo: bob.name } }),
      await call(site, 'GET', `/user?sudo=${bob.name}`, { as: { token } }),
      await call(site, 'GET', tokens, { as }),
      await call(site, 'POST', tokens, { as, body: { name: 'ci', scopes: ['read:user'] } }),
      await call(site, 'DELETE', `${tokens}/ci`, { as }),
    ].map(({ status, body }) => [status, body?.message])
  }

  it('returns 403 to an administrator’s token without the scope, both for Sudo and for the tokens of others', async () => {
    for (const scopes of [['write:user'], ['write:user', 'read:admin']] as Scope[][]) {
      const { root, token } = await adminWith(...scopes)
      for (const answer of await answers(root, token)) expect(answer).toEqual([403, refusal])
    }
  })

  it('lets an administrator act for others by a token with the scope, or by password', async () => {
    for (const scopes of [['write:user', 'write:admin'], ['all']] as Scope[][]) {
      const { root, token } = await adminWith(...scopes)
      expect((await answers(root, token)).map(([status]) => status)).toEqual([200, 200, 200, 201, 204])
    }
    const { root } = await adminWith()
    const bob = await makePerson(site)
    const as = withPassword(root)
    expect((await call(site, 'GET', '/user', { as, headers: { Sudo: bob.name } })).status).toBe(200)
    expect((await call(site, 'GET', `/users/${bob.name}/tokens`, { as })).status).toBe(200)
  })

  it('returns 201 when an administrator’s token without the scope creates a token for the administrator', async () => {
    const { root, token } = await adminWith('write:user')
    const body = { name: 'ci', scopes: ['read:user'] }
    const as = { basic: [root.name, token] as [string, string] }
    expect((await call(site, 'POST', `/users/${root.name}/tokens`, { as, body })).status).toBe(201)
  })
})
