// @module-tag embedded
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makeKey, makeRepository } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { newKey } from '@/testing/keys'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

const add = (as: Person, body: unknown) => call(site, 'POST', '/user/keys', { as, body })

describe('POST /user/keys', () => {
  it('returns 201 and the key with its private details, owned by the caller', async () => {
    const ada = await makePerson(site)
    const key = newKey('laptop')
    const answer = await add(ada, { title: 'laptop', key: key.text })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      title: 'laptop',
      key: key.text,
      url: `${site.url}/api/v1/user/keys/${answer.body.id}`,
      fingerprint: key.fingerprint,
      last_used_at: answer.body.created_at,
      read_only: false,
      key_type: 'user',
      user: { login: ada.name, email: ada.account.email },
    })
    const list = await call(site, 'GET', '/user/keys', { as: ada })
    expect(list.body).toEqual([answer.body])
  })

  it('returns 201 and assigns the key to the caller even if the body names another user', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const { body } = await add(ada, {
      title: 'x',
      key: newKey().text,
      username: bob.name,
      owner_id: bob.account.id,
    })
    expect(body.user.login).toBe(ada.name)
  })

  it('returns 201 after removing invisible characters from a copied key, as do the administrator and deploy key endpoints', async () => {
    const [ada, root] = [await makePerson(site), await makePerson(site, { is_admin: true })]
    const repository = await makeRepository(site.db, ada.account.id)
    for (const [as, path] of [
      [ada, '/user/keys'],
      [root, `/admin/users/${ada.name}/keys`],
      [ada, `/repos/${ada.name}/${repository.name}/keys`],
    ] as const) {
      const { text, fingerprint } = newKey()
      const key = `\u200b${text.replaceAll(' ', '\u00a0')}\ufeff`
      const { status, body } = await call(site, 'POST', path, { as, body: { title: path, key } })
      expect({ status, fingerprint: body.fingerprint }).toEqual({ status: 201, fingerprint })
      const damaged = newKey().text.replace('AAAA', 'AA\u2026AA')
      const refused = await call(site, 'POST', path, { as, body: { title: 'x', key: damaged } })
      expect([refused.status, refused.body.message]).toEqual([422, expect.stringContaining('U+2026')])
    }
  })

  it('returns 201 and ignores read_only, which applies only to deploy keys', async () => {
    const ada = await makePerson(site)
    const { body } = await add(ada, { title: 'x', key: newKey().text, read_only: true })
    expect(body.read_only).toBe(false)
  })

  it('returns 201 and the expiration date, which only the owner can see', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const expires_at = '2099-03-04T05:06:07+02:00'
    const { status, body } = await add(ada, { title: 'x', key: newKey().text, expires_at })
    expect([status, body.expires_at]).toEqual([201, '2099-03-04T03:06:07Z'])
    expect((await call(site, 'GET', '/user/keys', { as: ada })).body).toEqual([body])
    const forBob = await call(site, 'GET', `/user/keys/${body.id}`, { as: bob })
    expect(forBob.body).not.toHaveProperty('expires_at')
  })

  it.each([
    ['is in the past', '2020-01-01T00:00:00Z'],
    ['is not a time', 'tomorrow'],
    ['is too far in the future', '9999-12-31T23:59:59-12:00'],
  ])('returns 422 for an expiration date that %s', async (_, expires_at) => {
    const answer = await add(await makePerson(site), { title: 'x', key: newKey().text, expires_at })
    expect(answer.status).toBe(422)
  })

  it('returns 201 and repairs a key that is bare Base64 or has broken lines', async () => {
    const ada = await makePerson(site)
    const [bare, broken] = [newKey(), newKey('me')]
    const base64 = bare.text.split(' ')[1] as string
    expect((await add(ada, { title: 'bare', key: base64 })).body.key).toBe(bare.text)
    const lines = `${broken.text.slice(0, 40)}\r\n${broken.text.slice(40)}\n`
    expect((await add(ada, { title: 'broken', key: lines })).body.key).toBe(broken.text)
  })

  it('returns 201 for a title that another user has used', async () => {
    for (const person of [await makePerson(site), await makePerson(site)]) {
      expect((await add(person, { title: 'work', key: newKey().text })).status).toBe(201)
    }
  })

  it.each([
    ['the title is missing', { key: newKey().text }, '[Title]: Required'],
    ['the title is empty', { title: '', key: newKey().text }, '[Title]: Required'],
    ['the title is blank', { title: ' \t ', key: newKey().text }, '[Title]: Required'],
    ['the title is null', { title: null, key: newKey().text }, '[Title]: Required'],
    ['both are missing, which names the title first', {}, '[Title]: Required'],
    ['the key is missing', { title: 'x' }, '[Key]: Required'],
    ['the key is blank', { title: 'x', key: ' \n ' }, '[Key]: Required'],
  ])('returns 422 if %s', async (_, body, message) => {
    const answer = await add(await makePerson(site), body)
    expect([answer.status, answer.body.message]).toEqual([422, message])
  })

  it.each([
    ['text that is not a key', 'hello', /^Invalid key content: /],
    [
      'a type that does not match the blob',
      newKey().text.replace('ssh-ed25519', 'ssh-rsa'),
      /^Invalid key content: /,
    ],
    ['a truncated blob', newKey().text.slice(0, -20), /^Invalid key content: /],
    ['two keys', `${newKey().text}\n${newKey().text}`, /^Invalid key content: /],
    ['an unknown algorithm', 'ssh-foo AAAAB3NzaC1mb28=', /^Unable to verify key content/],
    ['more than 9.5 KiB', `${newKey().text} ${'x'.repeat(10_000)}`, /^SSH public key content is too long$/],
  ])('returns 422 for %s', async (_, key, message) => {
    const answer = await add(await makePerson(site), { title: 'x', key })
    expect(answer.status).toBe(422)
    expect(answer.body.message).toMatch(message)
  })

  it('returns 422 for a key that is already in use, by the caller or others', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const key = newKey()
    await add(ada, { title: 'mine', key: key.text })
    for (const person of [ada, bob]) {
      const answer = await add(person, { title: 'again', key: key.text })
      expect(answer.status).toBe(422)
      expect(answer.body.message).toMatch(/^Key content has been used as non-deploy key/)
    }
  })

  it('returns 422 and says that an expired copy of the key must be deleted first', async () => {
    const ada = await makePerson(site)
    const key = newKey()
    const { body } = await add(ada, { title: 'mine', key: key.text })
    const expires_at = new Date(Date.now() - 1000)
    await site.db.updateTable('public_keys').set({ expires_at }).where('id', '=', body.id).execute()
    expect((await add(ada, { title: 'again', key: key.text })).body.message).toMatch(
      /already been added as "mine", which has expired: delete that one first$/,
    )
  })

  it('returns 422 for another user’s key without revealing the owner or title', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const key = newKey()
    await add(ada, { title: 'secret project', key: key.text })
    const { body } = await add(bob, { title: 'x', key: key.text })
    expect(body.message).not.toMatch(new RegExp(`secret project|${ada.name}`))
  })

  it('returns 422 for a key that is already a deploy key', async () => {
    const { content: key } = await makeKey(site.db, null, { type: 'deploy' })
    expect((await add(await makePerson(site), { title: 'x', key })).status).toBe(422)
  })

  it('returns 422 for a title the owner has already used', async () => {
    const ada = await makePerson(site)
    await add(ada, { title: 'laptop', key: newKey().text })
    const answer = await add(ada, { title: 'laptop', key: newKey().text })
    expect([answer.status, answer.body.message]).toEqual([422, 'Key title has been used'])
  })

  it('returns 422 for more than 1,000 keys, without recording an event', async () => {
    const ada = await makePerson(site)
    await sql`insert into public_keys (owner_id, title, content, fingerprint)
      select ${ada.account.id}, 'key ' || n, '', ${`${ada.name} `} || n from generate_series(1, 999) n`.execute(
      site.db,
    )
    const end = '2090-01-02T03:04:05.000Z'
    const last = await add(ada, { title: 'the last', key: newKey().text, expires_at: end })
    expect(last.status).toBe(201)
    const answer = await add(ada, { title: 'too many', key: newKey().text })
    expect([answer.status, answer.body.message]).toEqual([
      422,
      'An account can have at most 1000 SSH keys. Delete one that is no longer used.',
    ])
    const events = await site.db
      .selectFrom('events')
      .select(['kind', 'data'])
      .where('owner_id', '=', ada.account.id)
      .execute()
    const { id: keyId, title, fingerprint } = last.body
    expect(events).toEqual([{ kind: 'key.added', data: { keyId, title, fingerprint, expiresAt: end } }])
    expect((await add(await makePerson(site), { title: 'x', key: newKey().text })).status).toBe(201)
  })

  it('returns 201 to one of two simultaneous requests with the same key, and 422 to the other', async () => {
    const people = [await makePerson(site), await makePerson(site)]
    const { text: key } = newKey()
    const answers = await Promise.all(people.map(person => add(person, { title: 'race', key })))
    expect(answers.map(answer => answer.status).sort()).toEqual([201, 422])
  })

  it('returns 401 without credentials, regardless of the body', async () => {
    const answer = await call(site, 'POST', '/user/keys', { body: { title: 'x', key: newKey().text } })
    expect(answer.status).toBe(401)
    expect((await call(site, 'POST', '/user/keys', { body: 'nonsense' })).status).toBe(401)
  })
})
