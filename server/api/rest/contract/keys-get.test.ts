import { describe, expect, it } from 'vitest'
import { makeKey } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

describe('GET /user/keys/{id}', () => {
  it('200: the owner sees the key with its private details', async () => {
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

  it('200: anybody signed in who may see its owner may read it, without the private details', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const key = await makeKey(site.db, bob.account.id)
    const answer = await call(site, 'GET', `/user/keys/${key.id}`, { as: ada })
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.body).sort()).toEqual(
      ['created_at', 'fingerprint', 'id', 'key', 'last_used_at', 'title', 'url'].sort(),
    )
  })

  it('200: an administrator sees the owner in full', async () => {
    const root = await makePerson(site, { is_admin: true })
    const bob = await makePerson(site, { visibility: 'private', hide_email: true })
    const key = await makeKey(site.db, bob.account.id, { mode: 'read' })
    const answer = await call(site, 'GET', `/user/keys/${key.id}`, { as: root })
    expect(answer.body).toMatchObject({
      read_only: true,
      user: { login: bob.name, email: bob.account.email },
    })
  })

  it('200: a deploy key is of no person', async () => {
    const root = await makePerson(site, { is_admin: true })
    const key = await makeKey(site.db, null, { type: 'deploy', mode: 'read' })
    const { body } = await call(site, 'GET', `/user/keys/${key.id}`, { as: root })
    expect(body).toMatchObject({ key_type: 'deploy', read_only: true })
    expect(body).not.toHaveProperty('user')
  })

  it('404: a key of a person the caller may not see, by its fingerprint too', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site, { visibility: 'private' })]
    const key = await makeKey(site.db, bob.account.id)
    const path = `/user/keys?fingerprint=${encodeURIComponent(key.fingerprint)}`
    expect((await call(site, 'GET', `/user/keys/${key.id}`, { as: ada })).status).toBe(404)
    const found = await call(site, 'GET', path, { as: ada })
    expect([found.status, found.body, found.headers.get('x-total-count')]).toEqual([200, [], '0'])
    expect((await call(site, 'GET', `/user/keys/${key.id}`, { as: bob })).status).toBe(200)
    expect((await call(site, 'GET', path, { as: bob })).body).toHaveLength(1)
  })

  it('404: the principal of somebody else, which its owner sees as an unknown kind of key', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const key = await makeKey(site.db, bob.account.id, { type: 'principal', content: 'bob' })
    expect((await call(site, 'GET', `/user/keys/${key.id}`, { as: ada })).status).toBe(404)
    const { body } = await call(site, 'GET', `/user/keys/${key.id}`, { as: bob })
    expect(body).toMatchObject({ id: key.id, key_type: 'unknown' })
    expect(body).not.toHaveProperty('user')
  })

  it('401: nobody without credentials, whether the key exists or not', async () => {
    const ada = await makePerson(site)
    const key = await makeKey(site.db, ada.account.id)
    for (const id of [key.id, 999_999_999]) {
      expect((await call(site, 'GET', `/user/keys/${id}`)).status).toBe(401)
    }
  })

  it('404: a key that does not exist', async () => {
    const ada = await makePerson(site)
    const answer = await call(site, 'GET', '/user/keys/999999999', { as: ada })
    expect(answer.status).toBe(404)
    expect(answer.body).toEqual({ message: 'not found', url: `${site.url}/api/docs` })
  })
})
