import { describe, expect, it } from 'vitest'
import { makeKey } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { newKey } from '@/testing/keys'
import { makeLoginSource, makePerson, type Person } from '@/testing/people'
import { type Site, useSite } from '@/testing/site'

const refusal = [404, 'ssh keys setting is not allowed to be changed']

const add = async (site: Site, as: Person, path = '/user/keys') => {
  const answer = await call(site, 'POST', path, { as, body: { title: 'x', key: newKey().text } })
  return [answer.status, answer.body.message]
}
const remove = async (site: Site, as: Person, path: string) => {
  const answer = await call(site, 'DELETE', path, { as })
  return [answer.status, answer.body?.message]
}

describe('disabling manage_ssh_keys for all accounts', () => {
  const site = useSite({ disabledFeatures: new Set(['manage_ssh_keys']) })

  it('makes POST /user/keys return 404', async () => {
    expect(await add(site, await makePerson(site))).toEqual(refusal)
  })

  it('makes DELETE /user/keys/{id} return 404 before checking whether the key exists or who owns it', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const key = await makeKey(site.db, ada.account.id)
    for (const id of [key.id, 999_999_999]) {
      for (const person of [ada, bob]) expect(await remove(site, person, `/user/keys/${id}`)).toEqual(refusal)
    }
  })

  it('applies to administrators, too (404)', async () => {
    const root = await makePerson(site, { is_admin: true })
    const key = await makeKey(site.db, root.account.id)
    expect(await add(site, root, `/admin/users/${root.name}/keys`)).toEqual(refusal)
    expect(await remove(site, root, `/admin/users/${root.name}/keys/${key.id}`)).toEqual(refusal)
  })

  it('does not affect reading keys (200)', async () => {
    const ada = await makePerson(site)
    const key = await makeKey(site.db, ada.account.id)
    for (const path of ['/user/keys', `/users/${ada.name}/keys`, `/user/keys/${key.id}`]) {
      expect((await call(site, 'GET', path, { as: ada })).status).toBe(200)
    }
  })
})

describe('disabling manage_ssh_keys for external accounts', () => {
  const site = useSite({ externalDisabledFeatures: new Set(['manage_ssh_keys']) })

  it.each(['ldap', 'oidc'] as const)('makes adding and deleting keys return 404 for %s users', async type => {
    const login_source_id = await makeLoginSource(site, { type })
    const ada = await makePerson(site, { login_type: type, login_source_id })
    const key = await makeKey(site.db, ada.account.id)
    expect(await add(site, ada)).toEqual(refusal)
    expect(await remove(site, ada, `/user/keys/${key.id}`)).toEqual(refusal)
  })

  it('does not affect local accounts (201 and 204)', async () => {
    const ada = await makePerson(site)
    expect((await add(site, ada))[0]).toBe(201)
    const key = await makeKey(site.db, ada.account.id)
    expect((await remove(site, ada, `/user/keys/${key.id}`))[0]).toBe(204)
  })
})
