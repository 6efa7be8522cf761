import { describe, expect, it } from 'vitest'
import { makeKey } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { newKey } from '@/testing/keys'
import { makeLoginSource, makePerson, makeToken } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const makeAdmin = () => makePerson(site, { is_admin: true })

describe('POST /admin/users/{username}/keys', () => {
  it('returns 201 and the key with its private details, owned by the named user', async () => {
    const [root, bob] = [await makeAdmin(), await makePerson(site)]
    const key = newKey('from-terraform')
    const body = { title: 'deployed', key: key.text }
    const answer = await call(site, 'POST', `/admin/users/${bob.name.toUpperCase()}/keys`, { as: root, body })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ key: key.text, key_type: 'user', user: { login: bob.name } })
    expect((await call(site, 'GET', '/user/keys', { as: bob })).body).toHaveLength(1)
  })

  it('returns 201 and the key’s expiration date, which the owner also sees', async () => {
    const [root, bob] = [await makeAdmin(), await makePerson(site)]
    const body = { title: 'for a week', key: newKey().text, expires_at: '2099-01-01T00:00:00Z' }
    const answer = await call(site, 'POST', `/admin/users/${bob.name}/keys`, { as: root, body })
    expect(answer.body.expires_at).toBe(body.expires_at)
    expect((await call(site, 'GET', '/user/keys', { as: bob })).body[0].expires_at).toBe(body.expires_at)
  })

  it('returns 403 to anyone but administrators, even for their own account', async () => {
    const bob = await makePerson(site)
    const body = { title: 'x', key: newKey().text }
    const answer = await call(site, 'POST', `/admin/users/${bob.name}/keys`, { as: bob, body })
    expect([answer.status, answer.body.message]).toEqual([403, 'user should be the site admin'])
  })

  it('returns 403 for an administrator’s token without the admin scope', async () => {
    const root = await makeAdmin()
    const token = await makeToken(site, root.account.id, ['write:user'])
    const body = { title: 'x', key: newKey().text }
    const answer = await call(site, 'POST', `/admin/users/${root.name}/keys`, { as: { token }, body })
    expect(answer.status).toBe(403)
    expect(answer.body.message).toContain('required=[write:admin]')
  })

  it('returns 404 for a user who does not exist', async () => {
    const body = { title: 'x', key: newKey().text }
    const answer = await call(site, 'POST', '/admin/users/nobody-here/keys', { as: await makeAdmin(), body })
    expect(answer.status).toBe(404)
  })

  it('returns 422 for an invalid or missing key', async () => {
    const root = await makeAdmin()
    const path = `/admin/users/${root.name}/keys`
    expect((await call(site, 'POST', path, { as: root, body: { title: 'x', key: 'hello' } })).status).toBe(
      422,
    )
    expect((await call(site, 'POST', path, { as: root, body: {} })).body.message).toBe('[Title]: Required')
  })
})

describe('DELETE /admin/users/{username}/keys/{id}', () => {
  it('returns 204 and deletes the named user’s key', async () => {
    const [root, bob] = [await makeAdmin(), await makePerson(site)]
    const key = await makeKey(site.db, bob.account.id)
    const answer = await call(site, 'DELETE', `/admin/users/${bob.name}/keys/${key.id}`, { as: root })
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect((await call(site, 'GET', '/user/keys', { as: bob })).body).toEqual([])
  })

  it('returns 403 for a key managed by a directory', async () => {
    const [root, bob] = [await makeAdmin(), await makePerson(site)]
    const source = await makeLoginSource(site, { providesSshKeys: true })
    const key = await makeKey(site.db, bob.account.id, { login_source_id: source })
    const answer = await call(site, 'DELETE', `/admin/users/${bob.name}/keys/${key.id}`, { as: root })
    expect(answer.status).toBe(403)
  })

  it('returns 403 to anyone but administrators', async () => {
    const bob = await makePerson(site)
    const key = await makeKey(site.db, bob.account.id)
    const answer = await call(site, 'DELETE', `/admin/users/${bob.name}/keys/${key.id}`, { as: bob })
    expect(answer.status).toBe(403)
  })

  it('returns 404 for a key that belongs to another user or does not exist', async () => {
    const [root, bob] = [await makeAdmin(), await makePerson(site)]
    const key = await makeKey(site.db, root.account.id)
    for (const path of [
      `${bob.name}/keys/${key.id}`,
      `${bob.name}/keys/999999999`,
      `nobody-here/keys/${key.id}`,
    ]) {
      expect((await call(site, 'DELETE', `/admin/users/${path}`, { as: root })).status).toBe(404)
    }
    expect((await call(site, 'GET', `/user/keys/${key.id}`, { as: root })).status).toBe(200)
  })
})
