import { describe, expect, it } from 'vitest'
import { makeKey } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { makeLoginSource, makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

const remove = (as: Person, id: number) => call(site, 'DELETE', `/user/keys/${id}`, { as })

describe('DELETE /user/keys/{id}', () => {
  it('returns 204 with an empty body and deletes the caller’s key', async () => {
    const ada = await makePerson(site)
    const key = await makeKey(site.db, ada.account.id)
    const answer = await remove(ada, key.id)
    expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([204, '', null])
    expect((await call(site, 'GET', `/user/keys/${key.id}`, { as: ada })).status).toBe(404)
  })

  it('returns 204 for a request with a JSON content type but no body', async () => {
    const ada = await makePerson(site)
    const key = await makeKey(site.db, ada.account.id)
    const headers = { 'content-type': 'application/json' }
    expect((await call(site, 'DELETE', `/user/keys/${key.id}`, { as: ada, headers })).status).toBe(204)
  })

  it('returns 204 to an administrator for any user’s key and for deploy keys', async () => {
    const [root, bob] = [await makePerson(site, { is_admin: true }), await makePerson(site)]
    const keys = [await makeKey(site.db, bob.account.id), await makeKey(site.db, null, { type: 'deploy' })]
    for (const key of keys) expect((await remove(root, key.id)).status).toBe(204)
  })

  it('returns 204 to one of two simultaneous requests, and 404 to the other', async () => {
    const ada = await makePerson(site)
    const key = await makeKey(site.db, ada.account.id)
    const answers = await Promise.all([remove(ada, key.id), remove(ada, key.id)])
    expect(answers.map(answer => answer.status).sort()).toEqual([204, 404])
  })

  it('returns 403 for another user’s key and keeps it', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const key = await makeKey(site.db, bob.account.id)
    const answer = await remove(ada, key.id)
    expect([answer.status, answer.body.message]).toEqual([403, 'You do not have access to this key'])
    expect((await call(site, 'GET', `/user/keys/${key.id}`, { as: bob })).status).toBe(200)
  })

  it('returns 404 for a key that does not exist', async () => {
    const answer = await remove(await makePerson(site), 999_999_999)
    expect([answer.status, answer.body.message]).toEqual([404, 'not found'])
  })

  it('returns 401 without credentials', async () => {
    const ada = await makePerson(site)
    const key = await makeKey(site.db, ada.account.id)
    expect((await call(site, 'DELETE', `/user/keys/${key.id}`)).status).toBe(401)
  })
})

describe('DELETE /user/keys/{id} of a key from a directory', () => {
  const managed = 'SSH Key is externally managed for this user'

  it('returns 403 to its owner and administrators alike', async () => {
    const source = await makeLoginSource(site, { providesSshKeys: true })
    const ada = await makePerson(site, { login_type: 'ldap', login_source_id: source })
    const root = await makePerson(site, { is_admin: true })
    const key = await makeKey(site.db, ada.account.id, { login_source_id: source })
    for (const person of [ada, root]) {
      const answer = await remove(person, key.id)
      expect([answer.status, answer.body.message]).toEqual([403, managed])
    }
  })

  it('returns 403 to strangers with the same message as to its owner', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const source = await makeLoginSource(site, { providesSshKeys: true })
    const key = await makeKey(site.db, bob.account.id, { login_source_id: source })
    expect((await remove(ada, key.id)).body.message).toBe(managed)
  })

  it('returns 204 if the directory does not manage keys', async () => {
    const source = await makeLoginSource(site)
    const ada = await makePerson(site, { login_type: 'ldap', login_source_id: source })
    const key = await makeKey(site.db, ada.account.id, { login_source_id: source })
    expect((await remove(ada, key.id)).status).toBe(204)
  })

  it('returns 204 for a key that the directory’s user added themselves', async () => {
    const source = await makeLoginSource(site, { providesSshKeys: true })
    const ada = await makePerson(site, { login_type: 'ldap', login_source_id: source })
    const key = await makeKey(site.db, ada.account.id)
    expect((await remove(ada, key.id)).status).toBe(204)
  })
})
