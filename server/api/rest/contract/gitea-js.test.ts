import { giteaApi } from 'gitea-js'
import { describe, expect, it } from 'vitest'
import { newKey } from '@/testing/keys'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const clientOf = ({ token }: { token: string }) => giteaApi(site.url, { token })

const basic = ({ name, password }: Person) => ({
  headers: { Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` },
})

describe('unmodified gitea-js', () => {
  it('reads its user and the server version', async () => {
    const ada = await makePerson(site)
    const me = await clientOf(ada).user.userGetCurrent()
    expect(me.data).toMatchObject({ login: ada.name, email: ada.account.email })
    expect((await giteaApi(site.url).version.getVersion()).data.version).toMatch(/^1\.\d+\.\d+/)
  })

  it('adds, lists, finds, reads, and deletes a key', async () => {
    const ada = await makePerson(site)
    const { user } = clientOf(ada)
    const key = newKey('laptop')
    const added = (await user.userCurrentPostKey({ title: 'laptop', key: key.text })).data
    expect(added).toMatchObject({
      title: 'laptop',
      key: key.text,
      fingerprint: key.fingerprint,
      key_type: 'user',
    })
    const id = Number(added.id)
    expect((await user.userCurrentListKeys({ page: 1, limit: 10 })).data).toEqual([added])
    expect((await user.userCurrentListKeys({ fingerprint: key.fingerprint })).data).toEqual([added])
    expect((await user.userCurrentGetKey(id)).data).toEqual(added)
    const deleted = await user.userCurrentDeleteKey(id)
    expect(deleted.status).toBe(204)
    expect((await user.userCurrentListKeys()).data).toEqual([])
  })

  it('reads the pages of a list until one is empty', async () => {
    const ada = await makePerson(site)
    const { user } = clientOf(ada)
    for (let count = 0; count < 5; count++) {
      await user.userCurrentPostKey({ title: `key ${count}`, key: newKey().text })
    }
    const titles: (string | undefined)[] = []
    for (let page = 1; ; page++) {
      const { data } = await user.userCurrentListKeys({ page, limit: 2 })
      if (data.length === 0) break
      titles.push(...data.map(key => key.title))
    }
    expect(titles).toEqual(['key 0', 'key 1', 'key 2', 'key 3', 'key 4'])
  })

  it('creates a token with a password, uses it, and revokes it', async () => {
    const ada = await makePerson(site)
    const anonymous = giteaApi(site.url)
    const body = { name: 'from gitea-js', scopes: ['read:user'] }
    const made = (await anonymous.users.userCreateToken(ada.name, body, basic(ada))).data
    const limited = clientOf({ token: String(made.sha1) })
    expect((await limited.user.userGetCurrent()).data.login).toBe(ada.name)
    const { data: tokens } = await anonymous.users.userGetTokens(ada.name, {}, basic(ada))
    expect(tokens.map(token => token.name)).toContain('from gitea-js')
    await anonymous.users.userDeleteAccessToken(ada.name, 'from gitea-js', basic(ada))
    await expect(limited.user.userGetCurrent()).rejects.toMatchObject({ status: 401 })
  })

  it('lets an administrator create a user, add a key for them, and delete them', async () => {
    const { admin, users } = clientOf(await makePerson(site, { is_admin: true }))
    const username = 'made-by-gitea-js'
    const made = await admin.adminCreateUser({
      username,
      email: 'made@example.test',
      password: 'a good password',
    })
    expect([made.status, made.data.login]).toEqual([201, username])
    const key = await admin.adminCreatePublicKey(username, { title: 'x', key: newKey().text })
    expect((await users.userListKeys(username)).data).toHaveLength(1)
    await admin.adminDeleteUserPublicKey(username, Number(key.data.id))
    expect(
      (await admin.adminEditUser(username, { login_name: '', source_id: 0, full_name: 'Made' })).data
        .full_name,
    ).toBe('Made')
    expect((await admin.adminDeleteUser(username)).status).toBe(204)
  })

  it('finds users', async () => {
    const ada = await makePerson(site)
    const found = await clientOf(ada).users.userSearch({ q: ada.name })
    expect(found.data).toMatchObject({ ok: true, data: [{ login: ada.name }] })
  })

  it('receives errors that it can parse', async () => {
    const ada = await makePerson(site)
    const { user, admin } = clientOf(ada)
    const message = (text: unknown) => ({ error: { message: text, url: expect.any(String) } })
    await expect(user.userCurrentGetKey(999_999_999)).rejects.toMatchObject({
      status: 404,
      ...message('not found'),
    })
    await expect(user.userCurrentPostKey({ title: 'x', key: 'nonsense' })).rejects.toMatchObject({
      status: 422,
      ...message(expect.stringMatching(/^Invalid key content: /)),
    })
    await expect(admin.adminSearchUsers()).rejects.toMatchObject({ status: 403 })
    await expect(giteaApi(site.url).user.userGetCurrent()).rejects.toMatchObject({
      status: 401,
      ...message('token is required'),
    })
  })
})
