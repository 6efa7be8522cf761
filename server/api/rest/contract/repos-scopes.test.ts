import { describe, expect, it } from 'vitest'
import { makeOrg, makeRepository } from '@/db/testing/factories'
import type { Scope } from '@/server/kernel/scopes'
import { call } from '@/testing/call'
import { makePerson, makeToken } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

const needs: [string, string, string][] = [
  ['GET', '/user/repos', 'read:user read:repository'],
  ['POST', '/user/repos', 'write:user write:repository'],
  ['GET', '/users/x/repos', 'read:user read:repository'],
  ['GET', '/orgs/x/repos', 'read:organization'],
  ['POST', '/orgs/x/repos', 'write:organization'],
  ['POST', '/org/x/repos', 'write:organization write:repository'],
  ['POST', '/admin/users/x/repos', 'write:admin'],
  ['GET', '/repos/search', 'read:repository'],
  ['GET', '/repos/x/y', 'read:repository'],
  ['GET', '/repositories/1', 'read:repository'],
  ['PATCH', '/repos/x/y', 'write:repository'],
  ['DELETE', '/repos/x/y', 'write:repository'],
  ['GET', '/repos/x/y/branches', 'read:repository'],
  ['GET', '/repos/x/y/branches/z', 'read:repository'],
  ['DELETE', '/repos/x/y/branches/z', 'write:repository'],
  ['DELETE', '/repos/x/y/tags/z', 'write:repository'],
  ['GET', '/repos/x/y/tags', 'read:repository'],
  ['GET', '/repos/x/y/tags/z', 'read:repository'],
  ['GET', '/repos/x/y/collaborators', 'read:repository'],
  ['GET', '/repos/x/y/keys', 'read:repository'],
  ['GET', '/repos/x/y/keys/1', 'read:repository'],
  ['POST', '/repos/x/y/keys', 'write:repository'],
  ['DELETE', '/repos/x/y/keys/1', 'write:repository'],
  ['GET', '/repos/x/y/collaborators/z', 'read:repository'],
  ['PUT', '/repos/x/y/collaborators/z', 'write:repository'],
  ['DELETE', '/repos/x/y/collaborators/z', 'write:repository'],
  ['GET', '/repos/x/y/collaborators/z/permission', 'read:repository'],
]

describe('the token scopes of repository endpoints', () => {
  it.each(needs)(
    'are checked first, with 403 if %s %s is requested without %s',
    async (method, path, required) => {
      const root = await makePerson(site, { is_admin: true })
      const token = await makeToken(site, root.account.id, ['write:misc'])
      const answer = await call(site, method, path, { as: { token } })
      expect([answer.status, answer.body.message]).toEqual([
        403,
        `token does not have at least one of required scope(s), required=[${required}], token scope=write:misc`,
      ])
    },
  )

  it.each(needs.filter(([method]) => method !== 'GET'))(
    'require write scope for %s %s and return 403 to a read-only token',
    async (method, path, required) => {
      const root = await makePerson(site, { is_admin: true })
      const reading = required.split(' ').map(scope => scope.replace('write:', 'read:') as Scope)
      const token = await makeToken(site, root.account.id, reading)
      expect((await call(site, method, path, { as: { token } })).status).toBe(403)
    },
  )
})

describe('repository endpoints', () => {
  const closed = needs.filter(([method, path]) => method !== 'GET' || /^\/user\/|collaborators/.test(path))

  it.each(closed)(
    'return 401 without credentials, or 404 if the object in the path does not exist: %s %s',
    async (method, path) => {
      const root = await makePerson(site, { is_admin: true })
      const { name: org } = await makeOrg(site.db, root.account.id)
      const { name } = await makeRepository(site.db, root.account.id)
      const there = path
        .replace('/repos/x/y', `/repos/${root.name}/${name}`)
        .replace(/^(\/orgs?)\/x/, `$1/${org}`)
      const answer = await call(site, method, there)
      expect([answer.status, answer.body.message]).toEqual([401, 'token is required'])
      if (there === path) return
      const absent = await call(site, method, path)
      expect([absent.status, absent.body.message]).toEqual([404, 'not found'])
    },
  )

  it('return 404 to an administrator if the object in the path does not exist', async () => {
    const root = await makePerson(site, { is_admin: true })
    const { name } = await makeRepository(site.db, root.account.id)
    for (const [method, path] of needs.filter(([, path]) => path.includes('/x'))) {
      const answer = await call(site, method, path, {
        as: root,
        body: method === 'GET' ? undefined : { name },
      })
      expect([method, path, answer.status]).toEqual([method, path, 404])
    }
  })
})
