// @module-tag embedded
import { describe, expect, it } from 'vitest'
import { makeDeployKey, makeKey, makeRepository } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

const search = (fingerprint: string) => `fingerprint=${encodeURIComponent(fingerprint)}`
const idsOf = (keys: { id: number }[]) => keys.map(key => key.id)

describe('GET /user/keys?fingerprint=', () => {
  it('200: is not limited to an owner', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const key = await makeKey(site.db, bob.account.id)
    const answer = await call(site, 'GET', `/user/keys?${search(key.fingerprint)}`, { as: ada })
    expect(answer.status).toBe(200)
    expect(idsOf(answer.body)).toEqual([key.id])
    expect(answer.headers.get('x-total-count')).toBe('1')
  })

  it('200: shows the private details of own keys and to administrators only', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const root = await makePerson(site, { is_admin: true })
    const key = await makeKey(site.db, bob.account.id)
    const seenBy = async (as: typeof ada) =>
      (await call(site, 'GET', `/user/keys?${search(key.fingerprint)}`, { as })).body[0]
    expect(await seenBy(ada)).not.toHaveProperty('key_type')
    expect(await seenBy(bob)).toMatchObject({ key_type: 'user', read_only: false, user: { login: bob.name } })
    expect(await seenBy(root)).toMatchObject({
      key_type: 'user',
      read_only: false,
      user: { login: bob.name },
    })
  })

  it('200: finds every key that has it, principals included, all in one page whatever the limit', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const key = await makeKey(site.db, bob.account.id)
    const principals = [
      await makeKey(site.db, bob.account.id, { type: 'principal', fingerprint: key.fingerprint }),
      await makeKey(site.db, ada.account.id, { type: 'principal', fingerprint: key.fingerprint }),
    ]
    const path = `/user/keys?${search(key.fingerprint)}&page=2&limit=1`
    const answer = await call(site, 'GET', path, { as: ada })
    expect(idsOf(answer.body)).toEqual([key.id, ...idsOf(principals)])
    expect(answer.headers.get('x-total-count')).toBe('3')
    expect(answer.headers.get('link')).toBeNull()
    expect(answer.body[2]).toMatchObject({ key_type: 'unknown' })
    expect(answer.body[2]).not.toHaveProperty('user')
  })

  it('200: finds a deploy key, whose details only administrators see', async () => {
    const [ada, root] = [await makePerson(site), await makePerson(site, { is_admin: true })]
    const key = await makeKey(site.db, null, { type: 'deploy', mode: 'read' })
    const seenBy = async (as: typeof ada) =>
      (await call(site, 'GET', `/user/keys?${search(key.fingerprint)}`, { as })).body[0]
    expect(await seenBy(ada)).toMatchObject({ id: key.id })
    expect(await seenBy(ada)).not.toHaveProperty('read_only')
    expect(await seenBy(root)).toMatchObject({ key_type: 'deploy', read_only: true })
    expect(await seenBy(root)).not.toHaveProperty('user')
  })

  it.each([
    ['without SHA256:', (text: string) => text.slice('SHA256:'.length)],
    ['with sha256: in small letters', (text: string) => text.replace('SHA256', 'sha256')],
    ['with padding', (text: string) => `${text}=`],
  ])(
    '200: a fingerprint %s finds the key, for people, among theirs, and among deploy keys',
    async (_, written) => {
      const ada = await makePerson(site)
      const key = await makeKey(site.db, ada.account.id)
      const repository = await makeRepository(site.db, ada.account.id)
      const deployKey = await makeDeployKey(site.db, [repository])
      const get = (path: string, { fingerprint }: { fingerprint: string }) =>
        call(site, 'GET', `${path}?${search(written(fingerprint))}`, { as: ada })
      for (const path of ['/user/keys', `/users/${ada.name}/keys`]) {
        expect(idsOf((await get(path, key)).body)).toEqual([key.id])
      }
      const { body } = await get(`/repos/${ada.name}/${repository.name}/keys`, deployKey)
      expect(body).toMatchObject([{ key_id: deployKey.id }])
    },
  )

  it('200: a plus sign that was not escaped still finds the key', async () => {
    const ada = await makePerson(site)
    const key = await makeKey(site.db, ada.account.id, { fingerprint: 'SHA256:ab+cd+ef' })
    const answer = await call(site, 'GET', '/user/keys?fingerprint=SHA256:ab+cd+ef', { as: ada })
    expect(idsOf(answer.body)).toEqual([key.id])
  })

  it.each(['SHA256:nobodyhasthis', 'MD5:aa:bb', 'sha256:', "' or 1=1 --", '%00', 'ä'])(
    '200: nothing is found for %s, with a count of 0',
    async text => {
      const ada = await makePerson(site)
      await makeKey(site.db, ada.account.id)
      const answer = await call(site, 'GET', `/user/keys?fingerprint=${encodeURI(text)}`, { as: ada })
      expect([answer.status, answer.body, answer.headers.get('x-total-count')]).toEqual([200, [], '0'])
    },
  )
})

describe('GET /users/{username}/keys?fingerprint=', () => {
  it('200: is limited to the person named', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const key = await makeKey(site.db, bob.account.id)
    const at = (name: string) =>
      call(site, 'GET', `/users/${name}/keys?${search(key.fingerprint)}`, { as: ada })
    expect(idsOf((await at(bob.name)).body)).toEqual([key.id])
    const elsewhere = await at(ada.name)
    expect([elsewhere.status, elsewhere.body, elsewhere.headers.get('x-total-count')]).toEqual([200, [], '0'])
  })

  it('404: a person who does not exist, though the key does', async () => {
    const ada = await makePerson(site)
    const key = await makeKey(site.db, ada.account.id)
    const answer = await call(site, 'GET', `/users/nobody-here/keys?${search(key.fingerprint)}`, { as: ada })
    expect(answer.status).toBe(404)
  })
})
