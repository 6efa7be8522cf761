import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { makeLoginSource, makePerson, makeToken } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const makeAdmin = () => makePerson(site, { is_admin: true })

const someone = (overrides: Record<string, unknown> = {}) => {
  const username = `new-${randomUUID().slice(0, 8)}`
  return { username, email: `${username}@example.test`, password: 'a good password', ...overrides }
}
const create = async (body: unknown) => call(site, 'POST', '/admin/users', { as: await makeAdmin(), body })

describe('POST /admin/users', () => {
  it('returns 201 and creates an account that must change its password first', async () => {
    const body = someone()
    const answer = await create(body)
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      login: body.username,
      email: body.email,
      is_admin: false,
      active: true,
    })
    const basic: [string, string] = [body.username, body.password]
    const refused = await call(site, 'GET', '/user', { as: { basic } })
    expect([refused.status, refused.body.message]).toEqual([
      403,
      expect.stringContaining('change your password'),
    ])
  })

  it('returns 201 and requires no password change if must_change_password is false', async () => {
    const body = someone({ must_change_password: false })
    await create(body)
    expect((await call(site, 'GET', '/user', { as: { basic: [body.username, body.password] } })).status).toBe(
      200,
    )
  })

  it('returns 201 and stores all optional fields', async () => {
    const body = someone({
      full_name: 'New Person',
      visibility: 'limited',
      restricted: true,
      send_notify: true,
    })
    expect((await create(body)).body).toMatchObject({
      full_name: 'New Person',
      visibility: 'limited',
      restricted: true,
    })
  })

  it('returns 201 and ignores null, 0, and empty values, which clients with fixed fields send', async () => {
    const body = someone({
      source_id: 0,
      login_name: '',
      full_name: '',
      must_change_password: null,
      visibility: null,
    })
    const answer = await create(body)
    expect([answer.status, answer.body.visibility]).toEqual([201, 'public'])
  })

  it('returns 201 without a password for a directory account', async () => {
    const source_id = await makeLoginSource(site)
    const body = someone({ source_id, login_name: 'uid=new', password: undefined })
    const answer = await create(body)
    expect([answer.status, answer.body.source_id, answer.body.login_name]).toEqual([
      201,
      source_id,
      'uid=new',
    ])
  })

  it('returns 201 and stores no password for a directory account, regardless of the password sent', async () => {
    const source_id = await makeLoginSource(site)
    for (const password of ['a good password', 'short']) {
      const answer = await create(someone({ source_id, password }))
      expect(answer.status).toBe(201)
      const row = await site.db
        .selectFrom('users')
        .select('password_hash')
        .where('id', '=', answer.body.id)
        .executeTakeFirstOrThrow()
      expect(row.password_hash).toBeNull()
    }
  })

  it.each([{ password: undefined }, { password: '' }, { password: null }])(
    'returns 400 without a password: %j',
    async overrides => {
      const answer = await create(someone(overrides))
      expect([answer.status, answer.body.message]).toEqual([400, 'PasswordIsRequired'])
    },
  )

  it.each(['short', '1234567', 'x'.repeat(256)])(
    'returns 400 for a password that is too weak or too long',
    async password => {
      const answer = await create(someone({ password }))
      expect(answer.status).toBe(400)
      expect(answer.body.message).toMatch(/^PasswordComplexity/)
      expect(answer.body.message).not.toContain(password)
    },
  )

  it('returns 422 for a name in use, ignoring case', async () => {
    const bob = await makePerson(site)
    const username = bob.name.toUpperCase()
    const answer = await create(someone({ username }))
    expect([answer.status, answer.body.message]).toEqual([422, `user already exists [name: ${username}]`])
  })

  it('returns 422 for an email address in use, ignoring case', async () => {
    const bob = await makePerson(site)
    const email = bob.account.email.toUpperCase()
    const answer = await create(someone({ email }))
    expect([answer.status, answer.body.message]).toEqual([422, `e-mail already in use [email: ${email}]`])
  })

  it.each(['api', 'API', 'user', 'ghost', 'login', 'assets', 'v2', 'gitea-actions'])(
    'returns 422 for the reserved name %s',
    async username => {
      const answer = await create(someone({ username }))
      expect([answer.status, answer.body.message]).toEqual([422, `name is reserved [name: ${username}]`])
    },
  )

  it.each(['me.keys', 'me.gpg', 'me.rss', 'me.atom', 'me.PNG'])(
    'returns 422 for the name %s, which looks like a file',
    async username => {
      const answer = await create(someone({ username }))
      expect(answer.status).toBe(422)
      expect(answer.body.message).toMatch(/^name pattern is not allowed \[pattern: \*\./)
    },
  )

  it.each(['-a', 'a-', 'a..b', 'a b', 'ä', '../x', 'a/b', "a'b", '%00'])(
    'returns 422 for the invalid name %j',
    async username => {
      const answer = await create(someone({ username }))
      expect(answer.status).toBe(422)
      expect(answer.body.message).toContain(`name is invalid [${username}]`)
    },
  )

  it.each([
    [{ username: undefined }, /^\[Username\]: Required$/],
    [{ username: 'x'.repeat(41) }, /^\[Username\]: MaxSize/],
    [{ email: undefined }, /^\[Email\]: Required$/],
    [{ email: 'nobody' }, /^\[Email\]: Email/],
    [{ email: 'no body@example.com' }, /^\[Email\]: Email/],
    [{ email: 'Ada <ada@example.com>' }, /^\[Email\]: Email/],
    [{ visibility: 'secret' }, /^\[Visibility\]: In/],
    [{ source_id: 999_999 }, /^login source does not exist/],
    [{ must_change_password: 'false' }, /^\[\]: must_change_password: expected boolean$/],
  ])('returns 422 for %j', async (overrides, message) => {
    const answer = await create(someone(overrides))
    expect(answer.status).toBe(422)
    expect(answer.body.message).toMatch(message)
  })

  it('returns 201 for an email address on a host of the local network', async () => {
    const answer = await create(someone({ email: 'svc@buildhost' }))
    expect([answer.status, answer.body.email]).toEqual([201, 'svc@buildhost'])
  })

  it('returns 403 to anyone but administrators', async () => {
    const answer = await call(site, 'POST', '/admin/users', { as: await makePerson(site), body: someone() })
    expect([answer.status, answer.body.message]).toEqual([403, 'user should be the site admin'])
  })

  it('returns 403 for an administrator’s token without write scope', async () => {
    const token = await makeToken(site, (await makeAdmin()).account.id, ['read:admin', 'write:user'])
    expect((await call(site, 'POST', '/admin/users', { as: { token }, body: someone() })).status).toBe(403)
  })

  it('returns 401 without credentials', async () => {
    expect((await call(site, 'POST', '/admin/users', { body: someone() })).status).toBe(401)
  })
})
