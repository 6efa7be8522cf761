import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { makePerson, makeToken, type Person, withPassword } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

const create = (owner: Person, body: unknown, as: Parameters<typeof call>[3] = { as: withPassword(owner) }) =>
  call(site, 'POST', `/users/${owner.name}/tokens`, { ...as, body })

describe('POST /users/{username}/tokens', () => {
  it('returns 201 and a working token with its secret', async () => {
    const ada = await makePerson(site)
    const answer = await create(ada, { name: 'ci', scopes: ['read:user'] })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: expect.any(Number),
      name: 'ci',
      sha1: expect.stringMatching(/^[0-9a-f]{40}$/),
      token_last_eight: answer.body.sha1.slice(-8),
      scopes: ['read:user'],
      created_at: '0001-01-01T00:00:00Z',
      last_used_at: '0001-01-01T00:00:00Z',
    })
    const me = await call(site, 'GET', '/user', { as: { token: answer.body.sha1 } })
    expect(me.body.login).toBe(ada.name)
  })

  it('neither stores the secret nor shows it again', async () => {
    const ada = await makePerson(site)
    const { sha1 } = (await create(ada, { name: 'ci', scopes: ['all'] })).body
    const list = await call(site, 'GET', `/users/${ada.name}/tokens`, { as: withPassword(ada) })
    expect(list.body[0]).toMatchObject({ name: 'ci', sha1: '' })
    expect(list.text).not.toContain(sha1)
    const rows = await site.db.selectFrom('access_tokens').selectAll().execute()
    const events = await site.db.selectFrom('events').selectAll().execute()
    const stored = JSON.stringify([rows, rows.map(row => row.token_hash.toString('hex')), events])
    expect(stored).not.toContain(sha1)
  })

  it.each([
    [
      ['write:user', 'read:user', 'read:misc'],
      ['read:misc', 'write:user'],
    ],
    [['all', 'read:user'], ['all']],
    [
      ['public-only', 'read:repository'],
      ['public-only', 'read:repository'],
    ],
    [['public-only'], ['public-only']],
  ])('returns 201 and reduces the scopes %j to %j', async (value, kept) => {
    const answer = await create(await makePerson(site), { name: 'ci', scopes: value })
    expect(answer.body.scopes).toEqual(kept)
  })

  it('returns 400 for a name the user already uses, but not for another user’s', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const body = { name: 'ci', scopes: ['all'] }
    expect((await create(ada, body)).status).toBe(201)
    const again = await create(ada, body)
    expect([again.status, again.body.message]).toEqual([400, 'access token name has been used already'])
    expect((await create(bob, body)).status).toBe(201)
  })

  it.each([{ name: 'ci' }, { name: 'ci', scopes: [] }, { name: 'ci', scopes: null }])(
    'returns 400 without a scope: %j',
    async body => {
      const answer = await create(await makePerson(site), body)
      expect([answer.status, answer.body.message]).toEqual([400, 'access token must have a scope'])
    },
  )

  it.each(['', 'user', 'READ:USER', 'write:everything', "'", '\u0000'])(
    'returns 400 for the unknown scope %j',
    async word => {
      const answer = await create(await makePerson(site), { name: 'ci', scopes: ['read:user', word] })
      expect([answer.status, answer.body.message]).toEqual([
        400,
        `invalid access token scope provided: ${word}`,
      ])
    },
  )

  it('returns 422 for more than 1,000 tokens', async () => {
    const ada = await makePerson(site)
    await sql`insert into access_tokens (user_id, name, token_hash, token_last_eight, scopes)
      select ${ada.account.id}, 'token ' || n, decode(md5(${ada.name} || n), 'hex'), '', '{all}'
        from generate_series(1, 998) n`.execute(site.db)
    expect((await create(ada, { name: 'the last', scopes: ['all'] })).status).toBe(201)
    const answer = await create(ada, { name: 'too many', scopes: ['all'] })
    expect([answer.status, answer.body.message]).toEqual([
      422,
      'An account can have at most 1000 access tokens. Delete one that is no longer used.',
    ])
  })

  it.each([
    [{ scopes: ['all'] }, '[Name]: Required'],
    [{ name: ' ', scopes: ['all'] }, '[Name]: Required'],
    [{ name: 'ci', scopes: 'all' }, '[]: scopes: expected array'],
    [{ name: 'ci', scopes: [1] }, '[]: scopes.0: expected string'],
  ])('returns 422 for %j', async (body, message) => {
    const answer = await create(await makePerson(site), body)
    expect([answer.status, answer.body.message]).toEqual([422, message])
  })
})

describe('POST /users/{username}/tokens by different callers', () => {
  const body = { name: 'ci', scopes: ['read:user'] }

  it('returns 401 with a token in the header or query, so that a leaked token cannot create others', async () => {
    const ada = await makePerson(site)
    for (const answer of [
      await create(ada, body, { as: ada }),
      await create(ada, body, { headers: { authorization: `Bearer ${ada.token}` } }),
      await call(site, 'POST', `/users/${ada.name}/tokens?token=${ada.token}`, { body }),
    ]) {
      expect([answer.status, answer.body.message]).toEqual([401, 'auth required'])
    }
  })

  it('returns 401 without credentials', async () => {
    expect((await create(await makePerson(site), body, {})).status).toBe(401)
  })

  it('returns 201 with a token as the Basic password, for no more scopes than it has', async () => {
    const ada = await makePerson(site)
    const token = await makeToken(site, ada.account.id, ['write:user', 'read:repository'])
    const as = { as: { basic: [ada.name, token] as [string, string] } }
    expect((await create(ada, { name: 'less', scopes: ['read:user', 'read:repository'] }, as)).status).toBe(
      201,
    )
    for (const scopes of [['write:repository'], ['all'], ['read:admin']]) {
      const answer = await create(ada, { name: 'more', scopes }, as)
      expect([answer.status, answer.body.message]).toEqual([
        403,
        'cannot create an access token with a broader scope than the authenticating token',
      ])
    }
  })

  it('returns 403 when a public-only token creates a token that is not public-only', async () => {
    const ada = await makePerson(site)
    const token = await makeToken(site, ada.account.id, ['public-only', 'all'])
    const as = { as: { basic: [ada.name, token] as [string, string] } }
    expect((await create(ada, { name: 'more', scopes: ['read:user'] }, as)).status).toBe(403)
    expect((await create(ada, { name: 'same', scopes: ['public-only', 'read:user'] }, as)).status).toBe(201)
  })

  it('returns 403 for another user, except to administrators', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const refused = await create(bob, body, { as: withPassword(ada) })
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'doer should be the site admin or be same as the contextUser',
    ])
    const root = await makePerson(site, { is_admin: true })
    const made = await create(bob, body, { as: withPassword(root) })
    expect((await call(site, 'GET', '/user', { as: { token: made.body.sha1 } })).body.login).toBe(bob.name)
  })

  it('returns 403 for another user, regardless of the body', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    for (const wrong of [{}, { name: {} }, 'no object']) {
      expect((await create(bob, wrong, { as: withPassword(ada) })).status).toBe(403)
      expect((await create(ada, wrong, { as: withPassword(ada) })).status).toBe(422)
    }
  })

  it('returns 403 for any name but the caller’s, so that it does not reveal which accounts exist', async () => {
    const [ada, hidden] = [await makePerson(site), await makePerson(site, { visibility: 'private' })]
    const refusals = ['nobody-here', hidden.name].flatMap(name =>
      ['GET', 'POST', 'DELETE'].map(async method => {
        const path = `/users/${name}/tokens${method === 'DELETE' ? '/ci' : ''}`
        const answer = await call(site, method, path, {
          as: withPassword(ada),
          body: method === 'POST' ? body : undefined,
        })
        return [answer.status, answer.body.message]
      }),
    )
    const refused = [403, 'doer should be the site admin or be same as the contextUser']
    expect(await Promise.all(refusals)).toEqual(Array(6).fill(refused))
  })

  it('returns 201 for the caller’s name in any case', async () => {
    const ada = await makePerson(site)
    const path = `/users/${ada.name.toUpperCase()}/tokens`
    expect((await call(site, 'POST', path, { as: withPassword(ada), body })).status).toBe(201)
  })

  it('returns 404 to an administrator for an unknown name', async () => {
    const root = await makePerson(site, { is_admin: true })
    const answer = await call(site, 'POST', '/users/nobody-here/tokens', { as: withPassword(root), body })
    expect(answer.status).toBe(404)
  })
})
