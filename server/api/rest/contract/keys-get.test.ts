import { describe, expect, it } from 'vitest'
import { makeKey } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

describe('GET /user/keys/{id}', () => {
  it('returns 200 and the private details to the owner', async () => {
    const ada = await makePerson(site)
    const key = await makeKey(site.db, ada.account.id)
    const answer = await call(site, 'GET', `/user/keys/${key.id}`, { as: ada })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      id: key.id,
      key: key.content,
      key_type: 'user',
      read_only: false,
      user: { id: ada.account.id, email: ada.account.email },
    })
  })

  it('returns 200 without private details to any signed-in user who can see the owner', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const key = await makeKey(site.db, bob.account.id)
    const answer = await call(site, 'GET', `/user/keys/${key.id}`, { as: ada })
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.body).sort()).toEqual(
      ['created_at', 'fingerprint', 'id', 'key', 'last_used_at', 'title', 'url'].sort(),
    )
  })

  it('returns 200 and the full owner to an administrator', async () => {
    const root = await makePerson(site, { is_admin: true })
    const bob = await makePerson(site, { visibility: 'private', hide_email: true })
    const key = await makeKey(site.db, bob.account.id, { mode: 'read' })
    const answer = await call(site, 'GET', `/user/keys/${key.id}`, { as: root })
    expect(answer.body).toMatchObject({
      read_only: true,
      user: { login: bob.name, email: bob.account.email },
    })
  })

  it('returns 200 and no user for a deploy key', async () => {
    const root = await makePerson(site, { is_admin: true })
    const key = await makeKey(site.db, null, { type: 'deploy', mode: 'read' })
    const { body } = await call(site, 'GET', `/user/keys/${key.id}`, { as: root })
    expect(body).toMatchObject({ key_type: 'deploy', read_only: true })
    expect(body).not.toHaveProperty('user')
  })

  it('returns 404 for a key whose owner the caller cannot see, which a fingerprint search does not find either', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site, { visibility: 'private' })]
    const key = await makeKey(site.db, bob.account.id)
    const path = `/user/keys?fingerprint=${encodeURIComponent(key.fingerprint)}`
    expect((await call(site, 'GET', `/user/keys/${key.id}`, { as: ada })).status).toBe(404)
    const found = await call(site, 'GET', path, { as: ada })
    expect([found.status, found.body, found.headers.get('x-total-count')]).toEqual([200, [], '0'])
    expect((await call(site, 'GET', `/user/keys/${key.id}`, { as: bob })).status).toBe(200)
    expect((await call(site, 'GET', path, { as: bob })).body).toHaveLength(1)
  })

  it('returns 404 for another user’s principal, and shows it to its owner with key_type unknown', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const key = await makeKey(site.db, bob.account.id, { type: 'principal', content: 'bob' })
    expect((await call(site, 'GET', `/user/keys/${key.id}`, { as: ada })).status).toBe(404)
    const { body } = await call(site, 'GET', `/user/keys/${key.id}`, { as: bob })
    expect(body).toMatchObject({ id: key.id, key_type: 'unknown' })
    expect(body).not.toHaveProperty('user')
  })

  it('returns 401 without credentials, whether the key exists or not', async () => {
    const ada = await makePerson(site)
    const key = await makeKey(site.db, ada.account.id)
    for (const id of [key.id, 999_999_999]) {
      expect((await call(site, 'GET', `/user/keys/${id}`)).status).toBe(401)
    }
  })

  it('returns 404 for a key that does not exist', async () => {
    const ada = await makePerson(site)
    const answer = await call(site, 'GET', '/user/keys/999999999', { as: ada })
    expect(answer.status).toBe(404)
    expect(answer.body).toEqual({ message: 'not found', url: `${site.url}/api/docs` })
  })
})
