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
  it('returns 200 and keys of any owner', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const key = await makeKey(site.db, bob.account.id)
    const answer = await call(site, 'GET', `/user/keys?${search(key.fingerprint)}`, { as: ada })
    expect(answer.status).toBe(200)
    expect(idsOf(answer.body)).toEqual([key.id])
    expect(answer.headers.get('x-total-count')).toBe('1')
  })

  it('returns 200 and shows private details only to the owner and administrators', async () => {
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

  it('returns 200 and every key with the fingerprint, also principals, in one page regardless of the limit', async () => {
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

  it('returns 200 and a deploy key, with details only for administrators', async () => {
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
    ['with lowercase sha256:', (text: string) => text.replace('SHA256', 'sha256')],
    ['with padding', (text: string) => `${text}=`],
  ])(
    'returns 200 for a fingerprint %s, as do the key lists of users and repositories',
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

  it('returns 200 and the key for a fingerprint with an unescaped plus sign', async () => {
    const ada = await makePerson(site)
    const key = await makeKey(site.db, ada.account.id, { fingerprint: 'SHA256:ab+cd+ef' })
    const answer = await call(site, 'GET', '/user/keys?fingerprint=SHA256:ab+cd+ef', { as: ada })
    expect(idsOf(answer.body)).toEqual([key.id])
  })

  it.each(['SHA256:nobodyhasthis', 'MD5:aa:bb', 'sha256:', "' or 1=1 --", '%00', 'ä'])(
    'returns 200, an empty list, and a count of 0 for %s',
    async text => {
      const ada = await makePerson(site)
      await makeKey(site.db, ada.account.id)
      const answer = await call(site, 'GET', `/user/keys?fingerprint=${encodeURI(text)}`, { as: ada })
      expect([answer.status, answer.body, answer.headers.get('x-total-count')]).toEqual([200, [], '0'])
    },
  )
})

describe('GET /users/{username}/keys?fingerprint=', () => {
  it('returns 200 and only keys of the named user', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const key = await makeKey(site.db, bob.account.id)
    const at = (name: string) =>
      call(site, 'GET', `/users/${name}/keys?${search(key.fingerprint)}`, { as: ada })
    expect(idsOf((await at(bob.name)).body)).toEqual([key.id])
    const elsewhere = await at(ada.name)
    expect([elsewhere.status, elsewhere.body, elsewhere.headers.get('x-total-count')]).toEqual([200, [], '0'])
  })

  it('returns 404 for a user who does not exist, even if the key does', async () => {
    const ada = await makePerson(site)
    const key = await makeKey(site.db, ada.account.id)
    const answer = await call(site, 'GET', `/users/nobody-here/keys?${search(key.fingerprint)}`, { as: ada })
    expect(answer.status).toBe(404)
  })
})
