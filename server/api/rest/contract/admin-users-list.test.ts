import { beforeAll, describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { makePerson, makeToken, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
let root: Person

beforeAll(async () => {
  root = await makePerson(site, { name: 'root', is_admin: true })
  const hidden = await makePerson(site, {
    name: 'hidden',
    visibility: 'private',
    is_active: false,
    last_login_at: new Date('2026-01-02'),
  })
  await makePerson(site, {
    name: 'locked',
    prohibit_login: true,
    full_name: 'Locked Out',
    login_name: 'locked@directory',
    last_login_at: new Date('2026-01-01'),
  })
  await call(site, 'PATCH', `/admin/users/${hidden.name}`, { as: root, body: { restricted: true } })
})

describe('GET /admin/users', () => {
  it('returns 200 and all accounts with all fields, also hidden and locked ones, oldest first', async () => {
    const answer = await call(site, 'GET', '/admin/users', { as: root })
    expect(answer.status).toBe(200)
    expect(answer.body.map((user: { login: string }) => user.login)).toEqual(['root', 'hidden', 'locked'])
    expect(answer.headers.get('x-total-count')).toBe('3')
    expect(answer.body[2]).toMatchObject({ prohibit_login: true, email: 'locked@example.test' })
  })

  it('returns 200 and pages with links', async () => {
    const answer = await call(site, 'GET', '/admin/users?limit=2', { as: root })
    expect(answer.body).toHaveLength(2)
    expect(answer.headers.get('link')).toBe(
      `<${site.url}/api/v1/admin/users?limit=2&page=2>; rel="next",` +
        `<${site.url}/api/v1/admin/users?limit=2&page=2>; rel="last"`,
    )
  })

  it('returns 200 and the accounts that match the text q', async () => {
    const answer = await call(site, 'GET', '/admin/users?q=OUT', { as: root })
    expect(answer.body.map((user: { login: string }) => user.login)).toEqual(['locked'])
  })

  it.each([
    ['is_admin=true', ['root']],
    ['is_admin=false', ['hidden', 'locked']],
    ['is_active=false', ['hidden']],
    ['is_active=true&is_prohibit_login=false', ['root']],
    ['is_prohibit_login=true', ['locked']],
    ['is_restricted=1', ['hidden']],
    ['is_2fa_enabled=true', []],
    ['is_2fa_enabled=false', ['root', 'hidden', 'locked']],
    ['visibility=private', ['hidden']],
    ['visibility=limited', []],
    ['login_name=lock', []],
    ['login_name=locked%40directory', ['locked']],
    ['source_id=99999999', []],
    ['source_id=0', ['root', 'hidden', 'locked']],
    ['sort=name', ['hidden', 'locked', 'root']],
    ['sort=name&order=desc', ['root', 'locked', 'hidden']],
    ['sort=created&order=desc', ['locked', 'hidden', 'root']],
    ['sort=id', ['root', 'hidden', 'locked']],
    ['sort=last_login', ['root', 'locked', 'hidden']],
    ['sort=last_login&order=desc', ['hidden', 'locked', 'root']],
    ['sort=updated&order=desc', ['hidden', 'locked', 'root']],
    ['is_admin=', ['root', 'hidden', 'locked']],
  ])('returns 200 for %s', async (query, names) => {
    const answer = await call(site, 'GET', `/admin/users?${query}`, { as: root })
    expect(answer.body.map((user: { login: string }) => user.login)).toEqual(names)
    expect(answer.headers.get('x-total-count')).toBe(String(names.length))
  })

  it.each([
    ['visibility=secret', 'Invalid visibility: use public, limited, or private'],
    ['sort=constructor', 'Invalid sort mode: use name, created, updated, last_login, or id'],
    ['sort=name&order=up', 'Invalid sort order: use asc or desc'],
  ])('returns 422 for %s', async (query, message) => {
    const answer = await call(site, 'GET', `/admin/users?${query}`, { as: root })
    expect([answer.status, answer.body.message]).toEqual([422, message])
  })

  it('returns 200, an empty list, and the true total for a page past the end', async () => {
    const answer = await call(site, 'GET', '/admin/users?page=9', { as: root })
    expect([answer.body, answer.headers.get('x-total-count')]).toEqual([[], '3'])
  })

  it('returns 403 to anyone but administrators, and for tokens without the scope', async () => {
    const [bob, token] = [await makePerson(site), await makeToken(site, root.account.id, ['read:user'])]
    expect((await call(site, 'GET', '/admin/users', { as: bob })).status).toBe(403)
    expect((await call(site, 'GET', '/admin/users', { as: { token } })).status).toBe(403)
  })

  it('returns 401 without credentials', async () => {
    expect((await call(site, 'GET', '/admin/users')).status).toBe(401)
  })
})
