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

describe('manage_ssh_keys disabled for everybody', () => {
  const site = useSite({ disabledFeatures: new Set(['manage_ssh_keys']) })

  it('404: nobody adds a key', async () => {
    expect(await add(site, await makePerson(site))).toEqual(refusal)
  })

  it('404: nobody deletes a key; this is told before whether the key exists or is theirs', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const key = await makeKey(site.db, ada.account.id)
    for (const id of [key.id, 999_999_999]) {
      for (const person of [ada, bob]) expect(await remove(site, person, `/user/keys/${id}`)).toEqual(refusal)
    }
  })

  it('404: administrators neither', async () => {
    const root = await makePerson(site, { is_admin: true })
    const key = await makeKey(site.db, root.account.id)
    expect(await add(site, root, `/admin/users/${root.name}/keys`)).toEqual(refusal)
    expect(await remove(site, root, `/admin/users/${root.name}/keys/${key.id}`)).toEqual(refusal)
  })

  it('200: keys can still be read', async () => {
    const ada = await makePerson(site)
    const key = await makeKey(site.db, ada.account.id)
    for (const path of ['/user/keys', `/users/${ada.name}/keys`, `/user/keys/${key.id}`]) {
      expect((await call(site, 'GET', path, { as: ada })).status).toBe(200)
    }
  })
})

describe('manage_ssh_keys disabled for external accounts', () => {
  const site = useSite({ externalDisabledFeatures: new Set(['manage_ssh_keys']) })

  it.each(['ldap', 'oidc'] as const)('404: a person of %s neither adds nor deletes a key', async type => {
    const login_source_id = await makeLoginSource(site, { type })
    const ada = await makePerson(site, { login_type: type, login_source_id })
    const key = await makeKey(site.db, ada.account.id)
    expect(await add(site, ada)).toEqual(refusal)
    expect(await remove(site, ada, `/user/keys/${key.id}`)).toEqual(refusal)
  })

  it('201 and 204: a person with a local account does both', async () => {
    const ada = await makePerson(site)
    expect((await add(site, ada))[0]).toBe(201)
    const key = await makeKey(site.db, ada.account.id)
    expect((await remove(site, ada, `/user/keys/${key.id}`))[0]).toBe(204)
  })
})
