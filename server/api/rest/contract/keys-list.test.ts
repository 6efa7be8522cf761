import { describe, expect, it } from 'vitest'
import { makeKey } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

const idsOf = (keys: { id: number }[]) => keys.map(key => key.id)

describe('GET /user/keys', () => {
  it('returns 200 and only the caller’s keys, oldest first, with the count and without Link for a single page', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const first = await makeKey(site.db, ada.account.id)
    const second = await makeKey(site.db, ada.account.id)
    await makeKey(site.db, bob.account.id)
    const answer = await call(site, 'GET', '/user/keys', { as: ada })
    expect(answer.status).toBe(200)
    expect(idsOf(answer.body)).toEqual([first.id, second.id])
    expect(answer.headers.get('x-total-count')).toBe('2')
    expect(answer.headers.get('link')).toBeNull()
  })

  it('returns 200 and only their own keys to an administrator', async () => {
    const [root, bob] = [await makePerson(site, { is_admin: true }), await makePerson(site)]
    await makeKey(site.db, bob.account.id)
    const answer = await call(site, 'GET', '/user/keys', { as: root })
    expect([answer.body, answer.headers.get('x-total-count')]).toEqual([[], '0'])
  })

  it('returns 200 without principals, which are not counted either', async () => {
    const ada = await makePerson(site)
    await makeKey(site.db, ada.account.id, { type: 'principal', content: 'ada' })
    const key = await makeKey(site.db, ada.account.id)
    const answer = await call(site, 'GET', '/user/keys', { as: ada })
    expect(idsOf(answer.body)).toEqual([key.id])
    expect(answer.headers.get('x-total-count')).toBe('1')
  })

  it('returns 200 and a page of the caller’s keys for an empty fingerprint', async () => {
    const ada = await makePerson(site)
    const key = await makeKey(site.db, ada.account.id)
    const answer = await call(site, 'GET', '/user/keys?fingerprint=', { as: ada })
    expect(idsOf(answer.body)).toEqual([key.id])
  })

  it('returns 200 and exactly the contract’s fields for each key', async () => {
    const ada = await makePerson(site)
    const created_at = new Date('2026-07-24T10:00:00.987Z')
    const key = await makeKey(site.db, ada.account.id, { created_at })
    const [entry] = (await call(site, 'GET', '/user/keys', { as: ada })).body
    expect(entry).toEqual({
      id: key.id,
      key: key.content,
      url: `${site.url}/api/v1/user/keys/${key.id}`,
      title: key.title,
      fingerprint: key.fingerprint,
      created_at: '2026-07-24T10:00:00Z',
      last_used_at: '2026-07-24T10:00:00Z',
      user: expect.objectContaining({ login: ada.name, username: ada.name, email: ada.account.email }),
      read_only: false,
      key_type: 'user',
    })
  })

  it('returns 200 and when a key was last used', async () => {
    const ada = await makePerson(site)
    await makeKey(site.db, ada.account.id, { last_used_at: new Date('2026-08-01T12:00:00Z') })
    const [entry] = (await call(site, 'GET', '/user/keys', { as: ada })).body
    expect(entry.last_used_at).toBe('2026-08-01T12:00:00Z')
  })

  it('returns 401 without credentials', async () => {
    const answer = await call(site, 'GET', '/user/keys')
    expect(answer.status).toBe(401)
    expect(answer.body).toEqual({ message: 'token is required', url: `${site.url}/api/docs` })
  })
})

describe('GET /users/{username}/keys', () => {
  it('returns 200 and the named user’s keys, oldest first, without principals', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const first = await makeKey(site.db, bob.account.id)
    await makeKey(site.db, bob.account.id, { type: 'principal', content: 'bob' })
    const second = await makeKey(site.db, bob.account.id)
    await makeKey(site.db, ada.account.id)
    const answer = await call(site, 'GET', `/users/${bob.name}/keys`, { as: ada })
    expect(idsOf(answer.body)).toEqual([first.id, second.id])
    expect(answer.headers.get('x-total-count')).toBe('2')
  })

  it('returns 200 and shows private details only to the owner and administrators', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const root = await makePerson(site, { is_admin: true })
    await makeKey(site.db, bob.account.id, { mode: 'read' })
    const path = `/users/${bob.name}/keys`
    const seenBy = async (as: typeof ada) => (await call(site, 'GET', path, { as })).body[0]
    for (const field of ['user', 'read_only', 'key_type']) expect(await seenBy(ada)).not.toHaveProperty(field)
    for (const viewer of [bob, root]) {
      expect(await seenBy(viewer)).toMatchObject({
        user: { login: bob.name, email: bob.account.email, active: true },
        read_only: true,
        key_type: 'user',
      })
    }
  })

  it('returns 200 regardless of the name’s case', async () => {
    const ada = await makePerson(site)
    await makeKey(site.db, ada.account.id)
    const answer = await call(site, 'GET', `/users/${ada.name.toUpperCase()}/keys`, { as: ada })
    expect(answer.body).toHaveLength(1)
  })

  it('returns 401 without credentials, even for a public profile', async () => {
    const bob = await makePerson(site)
    expect((await call(site, 'GET', `/users/${bob.name}/keys`)).status).toBe(401)
  })

  it('returns the same 404 for a user the caller cannot see as for an unknown user, and 200 to those who can', async () => {
    const [ada, root] = [await makePerson(site), await makePerson(site, { is_admin: true })]
    const restricted = await makePerson(site, { is_restricted: true })
    const hidden = await makePerson(site, { visibility: 'private' })
    const limited = await makePerson(site, { visibility: 'limited' })
    const keysOf = async ({ name }: typeof ada, as: typeof ada) => {
      const { status, body } = await call(site, 'GET', `/users/${name}/keys`, { as })
      return [status, status === 200 ? '' : body.message.replace(name, 'x')]
    }
    const absent = [404, 'user redirect does not exist [name: x]']
    expect(await keysOf(hidden, ada)).toEqual(absent)
    expect(await keysOf(limited, restricted)).toEqual(absent)
    for (const [of, as] of [
      [hidden, hidden],
      [hidden, root],
      [limited, ada],
    ] as const) {
      expect(await keysOf(of, as)).toEqual([200, ''])
    }
  })

  it('returns 404 for a user who does not exist', async () => {
    const ada = await makePerson(site)
    const answer = await call(site, 'GET', '/users/nobody-here/keys', { as: ada })
    expect(answer.status).toBe(404)
    expect(answer.body.message).toBe('user redirect does not exist [name: nobody-here]')
  })
})
