import { describe, expect, it } from 'vitest'
import type { Scope } from '@/server/kernel/scopes'
import { call } from '@/testing/call'
import { makePerson, makeToken } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

async function statusWith(scopes: Scope[], method: string, path: string): Promise<number> {
  const root = await makePerson(site, { is_admin: true })
  const token = await makeToken(site, root.account.id, scopes)
  const body = method === 'GET' || method === 'DELETE' ? undefined : {}
  return (await call(site, method, path, { as: { token }, body })).status
}

const others = (...needed: string[]): Scope[] =>
  (['write:user', 'write:organization', 'write:repository', 'write:admin', 'write:misc'] as const).filter(
    scope => !needed.includes(scope.replace('write:', '')),
  )

const reading: [string, ...string[]][] = [
  ['/orgs', 'organization'],
  ['/orgs/x', 'organization'],
  ['/orgs/x/members', 'organization'],
  ['/orgs/x/members/y', 'organization'],
  ['/orgs/x/public_members', 'organization'],
  ['/orgs/x/public_members/y', 'organization'],
  ['/orgs/x/blocks', 'organization'],
  ['/orgs/x/blocks/y', 'organization'],
  ['/admin/orgs', 'admin'],
  ['/user/orgs', 'user', 'organization'],
  ['/users/x/orgs', 'user', 'organization'],
  ['/users/x/orgs/y/permissions', 'user', 'organization'],
]

const writing: [string, string, string][] = [
  ['POST', '/orgs', 'organization'],
  ['PATCH', '/orgs/x', 'organization'],
  ['DELETE', '/orgs/x', 'organization'],
  ['POST', '/orgs/x/rename', 'organization'],
  ['DELETE', '/orgs/x/members/y', 'organization'],
  ['PUT', '/orgs/x/public_members/y', 'organization'],
  ['DELETE', '/orgs/x/public_members/y', 'organization'],
  ['PUT', '/orgs/x/blocks/y', 'organization'],
  ['DELETE', '/orgs/x/blocks/y', 'organization'],
  ['POST', '/admin/users/x/orgs', 'admin'],
]

describe('token scopes of organization endpoints', () => {
  it.each(reading)('GET %s requires each of the read scopes %s %s', async (path, ...needed) => {
    for (const missing of needed) expect(await statusWith(others(missing), 'GET', path)).toBe(403)
    const enough = needed.map(category => `read:${category}` as Scope)
    expect([200, 404]).toContain(await statusWith(enough, 'GET', path))
  })

  it.each(writing)('%s %s requires write:%s', async (method, path, category) => {
    const short = [...others(category), `read:${category}` as Scope]
    expect(await statusWith(short, method, path)).toBe(403)
    expect([404, 422]).toContain(await statusWith([`write:${category}` as Scope], method, path))
  })
})
