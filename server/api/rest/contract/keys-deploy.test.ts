// @module-tag embedded
import { describe, expect, it } from 'vitest'
import { makeDeployKey, makeKey, makeRepository } from '@/db/testing/factories'
import { type Answer, type CallOptions, call } from '@/testing/call'
import { type NewKey, newKey } from '@/testing/keys'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const outcome = ({ status, body }: Answer) => [status, body?.message]
const idsOf = ({ body }: Answer) => body.map(({ id }: { id: number }) => id)

interface Owned {
  owner: Person
  id: number
  /** Path of the repository's keys. */
  path: string
  add(body: Record<string, unknown>, options?: CallOptions): Promise<Answer>
}

async function makeOwned(owner?: Person, isPrivate = false): Promise<Owned> {
  const person = owner ?? (await makePerson(site))
  const repository = await makeRepository(site.db, person.account.id, { is_private: isPrivate })
  const path = `/repos/${person.name}/${repository.name}/keys`
  return {
    owner: person,
    id: repository.id,
    path,
    add: (body, options = { as: person }) => call(site, 'POST', path, { body, ...options }),
  }
}

async function makeAdministrator({ id }: Owned): Promise<Person> {
  const person = await makePerson(site)
  await site.db
    .insertInto('repository_collaborators')
    .values({ repository_id: id, user_id: person.account.id, mode: 'admin' })
    .execute()
  return person
}

const keyRow = ({ fingerprint }: Pick<NewKey, 'fingerprint'>) =>
  site.db
    .selectFrom('public_keys')
    .select(['id', 'type', 'owner_id'])
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst()

const eventsOf = (repositoryId: number) =>
  site.db
    .selectFrom('events')
    .select(['kind', 'actor_id', 'owner_id', 'data'])
    .where('repository_id', '=', repositoryId)
    .orderBy('id')
    .execute()

describe('POST /repos/{owner}/{repo}/keys', () => {
  it('returns 201 and a read-only key by default, and records the addition', async () => {
    const { owner, id, path, add } = await makeOwned()
    const key = newKey('')
    const answer = await add({ title: 'ci', key: key.text })
    expect(answer.status).toBe(201)
    const { repository, ...shown } = answer.body
    expect(shown).toEqual({
      id: expect.any(Number),
      key_id: (await keyRow(key))?.id,
      key: key.text,
      url: `${site.url}/api/v1${path}/${answer.body.id}`,
      title: 'ci',
      fingerprint: key.fingerprint,
      created_at: expect.stringMatching(/Z$/),
      last_used_at: null,
      expires_at: null,
      read_only: true,
    })
    expect(repository.id).toBe(id)
    const get = await call(site, 'GET', `${path}/${answer.body.id}`, { as: owner })
    expect(get.body).toEqual(answer.body)
    const facts = { repositoryId: id, deployKeyId: shown.id, keyId: shown.key_id, title: 'ci' }
    expect(await eventsOf(id)).toEqual([
      {
        kind: 'deploy_key.added',
        actor_id: owner.account.id,
        owner_id: owner.account.id,
        data: { ...facts, fingerprint: key.fingerprint, readOnly: true },
      },
    ])
  })

  it.each([
    [true, true],
    [false, false],
    [undefined, true],
  ])('returns 201 for read_only %s and a key with read_only %s', async (read_only, expected) => {
    const { add } = await makeOwned()
    const { body } = await add({ title: 'ci', key: newKey().text, read_only })
    expect(body.read_only).toBe(expected)
  })

  it('returns 201 for the same key in several repositories, with its own title and permissions in each', async () => {
    const [first, second] = [await makeOwned(), await makeOwned()]
    const key = newKey()
    const [a, b] = [
      await first.add({ title: 'ci', key: key.text }),
      await second.add({ title: 'deploy', key: key.text, read_only: false }),
    ]
    expect([a.status, b.status]).toEqual([201, 201])
    expect(b.body).toMatchObject({ key_id: a.body.key_id, title: 'deploy', read_only: false })
    expect(b.body.id).not.toBe(a.body.id)
    const get = await call(site, 'GET', `${first.path}/${a.body.id}`, { as: first.owner })
    expect(get.body).toMatchObject({ title: 'ci', read_only: true })
  })

  it('returns 201, stores the key without its comment, and shows its title only in its repository', async () => {
    const [first, second] = [await makeOwned(), await makeOwned()]
    const { text } = newKey('me@internal.example')
    const [type, base64] = text.split(' ')
    const added = await first.add({ title: 'secret project', key: text })
    await second.add({ title: 'ci', key: text })
    expect(added.body.key).toBe(`${type} ${base64}`)
    const seen = await call(site, 'GET', `/user/keys/${added.body.key_id}`, { as: second.owner })
    expect(seen.body).toMatchObject({ title: '', key: `${type} ${base64}` })
  })

  it('returns 201 and the expiration date, or 422 if it is in the past or invalid', async () => {
    const { add } = await makeOwned()
    const expires_at = '2099-05-01T10:00:00Z'
    expect((await add({ title: 'ci', key: newKey().text, expires_at })).body.expires_at).toBe(expires_at)
    const over = await add({ title: 'over', key: newKey().text, expires_at: '2020-01-01T00:00:00Z' })
    expect(outcome(over)).toEqual([422, 'the expiration date of a key must be in the future'])
    for (const noTime of ['soon', '2099-01-01']) {
      expect(outcome(await add({ title: 'x', key: newKey().text, expires_at: noTime }))).toEqual([
        422,
        '[ExpiresAt]: Use a time with an offset, such as 2030-01-01T00:00:00Z.',
      ])
    }
  })

  it('returns 201 and shows `repository` only to the owner and site administrators', async () => {
    const owned = await makeOwned()
    const administrator = await makeAdministrator(owned)
    const root = await makePerson(site, { is_admin: true })
    for (const [as, isShown] of [
      [owned.owner, true],
      [root, true],
      [administrator, false],
    ] as const) {
      const { status, body } = await owned.add({ title: as.name, key: newKey().text }, { as })
      expect([status, 'repository' in body]).toEqual([201, isShown])
    }
  })

  it('returns 422 for a key or title already used in the repository', async () => {
    const { add } = await makeOwned()
    const { text: key } = newKey()
    await add({ title: 'ci', key })
    const repeated = 'This key has already been added to this repository'
    expect(outcome(await add({ title: 'other', key }))).toEqual([422, repeated])
    expect(outcome(await add({ title: 'ci', key }))).toEqual([422, repeated])
    const another = newKey()
    expect(outcome(await add({ title: 'ci', key: another.text }))).toEqual([
      422,
      'A key with the same name already exists',
    ])
    expect(await keyRow(another)).toBeUndefined()
  })

  it('returns 422 for a deploy key that is a personal key, and vice versa', async () => {
    const { owner, add } = await makeOwned()
    const [mine, deployed] = [newKey(), newKey()]
    await call(site, 'POST', '/user/keys', { as: owner, body: { title: 'laptop', key: mine.text } })
    expect(outcome(await add({ title: 'ci', key: mine.text }))).toEqual([
      422,
      'Key content has been used as non-deploy key',
    ])
    await add({ title: 'ci', key: deployed.text })
    const answer = await call(site, 'POST', '/user/keys', {
      as: owner,
      body: { title: 'x', key: deployed.text },
    })
    expect(outcome(answer)).toEqual([
      422,
      'Key content has been used as a deploy key; generate a new key for your account',
    ])
  })

  it.each([
    ['the title is missing', { key: newKey().text }, '[Title]: Required'],
    ['the key is missing', { title: 'ci' }, '[Key]: Required'],
    ['the key is invalid', { title: 'ci', key: 'hello' }, /^Invalid key content: /],
    ['read_only is a string', { title: 'ci', key: newKey().text, read_only: 'no' }, /./],
  ])('returns 422 if %s', async (_, body, message) => {
    const answer = await (await makeOwned()).add(body)
    expect(answer.status).toBe(422)
    expect(answer.body.message).toMatch(message)
  })

  it('returns 422 for more than 100 deploy keys', async () => {
    const { id, add } = await makeOwned()
    for (let index = 0; index < 99; index++) await makeDeployKey(site.db, [{ id }])
    expect((await add({ title: 'the last', key: newKey().text })).status).toBe(201)
    expect(outcome(await add({ title: 'too many', key: newKey().text }))).toEqual([
      422,
      'A repository can have at most 100 deploy keys. Delete one that is no longer used.',
    ])
  })

  it('returns 401, 403, or 404 to anyone but administrators of the repository, regardless of the body', async () => {
    const [open, hidden] = [await makeOwned(), await makeOwned(undefined, true)]
    const as = await makePerson(site)
    expect((await open.add({}, {})).status).toBe(401)
    expect((await open.add({}, { as })).status).toBe(403)
    expect((await hidden.add({}, { as })).status).toBe(404)
  })
})

describe('GET /repos/{owner}/{repo}/keys', () => {
  it('returns 200 and the keys oldest first, with the count and without Link', async () => {
    const { owner, path, add } = await makeOwned()
    const ids: number[] = []
    for (const title of ['b', 'a', 'c']) ids.push((await add({ title, key: newKey().text })).body.id)
    const all = await call(site, 'GET', path, { as: owner })
    expect([idsOf(all), all.headers.get('x-total-count'), all.headers.get('link')]).toEqual([ids, '3', null])
    const second = await call(site, 'GET', `${path}?page=2&limit=2`, { as: owner })
    expect([idsOf(second), second.headers.get('x-total-count')]).toEqual([ids.slice(2), '3'])
    const past = await call(site, 'GET', `${path}?page=9`, { as: owner })
    expect([past.body, past.headers.get('x-total-count')]).toEqual([[], '3'])
  })

  it('returns 200 and only this repository’s key with the requested key_id or fingerprint', async () => {
    const owner = await makePerson(site)
    const [first, second] = [await makeOwned(owner), await makeOwned(owner)]
    const key = newKey()
    const { body: here } = await first.add({ title: 'ci', key: key.text })
    await second.add({ title: 'ci', key: key.text })
    await first.add({ title: 'other', key: newKey().text })
    const elsewhere = (await second.add({ title: 'elsewhere', key: newKey().text })).body
    const list = (query: string) => call(site, 'GET', `${first.path}?${query}`, { as: owner })
    const plain = encodeURIComponent(key.fingerprint)
    for (const query of [`key_id=${here.key_id}`, `fingerprint=${plain}`, `fingerprint=${key.fingerprint}`]) {
      const answer = await list(query)
      expect([idsOf(answer), answer.headers.get('x-total-count')]).toEqual([[here.id], '1'])
    }
    for (const query of [`key_id=${elsewhere.key_id}`, 'fingerprint=SHA256:none']) {
      expect((await list(query)).body).toEqual([])
    }
    expect(idsOf(await list('key_id=x&fingerprint='))).toHaveLength(2)
  })
})

describe('GET /repos/{owner}/{repo}/keys/{id}', () => {
  it('returns 404 for a key that does not exist or belongs to another repository', async () => {
    const owner = await makePerson(site)
    const [first, second] = [await makeOwned(owner), await makeOwned(owner)]
    const { body } = await second.add({ title: 'ci', key: newKey().text })
    for (const id of [body.id, 999_999_999, 'x']) {
      const answer = await call(site, 'GET', `${first.path}/${id}`, { as: owner })
      expect(outcome(answer)).toEqual([404, 'not found'])
    }
  })

  it('returns 200 and when the key was last used for this repository', async () => {
    const { owner, path, add } = await makeOwned()
    const { id } = (await add({ title: 'ci', key: newKey().text })).body
    await site.db
      .updateTable('deploy_keys')
      .set({ last_used_at: new Date('2026-05-01T10:00:00.500Z') })
      .where('id', '=', id)
      .execute()
    const { body } = await call(site, 'GET', `${path}/${id}`, { as: owner })
    expect(body.last_used_at).toBe('2026-05-01T10:00:00Z')
  })
})

describe('DELETE /repos/{owner}/{repo}/keys/{id}', () => {
  it('returns 204, deletes the key only from this repository, and entirely with its last repository', async () => {
    const owner = await makePerson(site)
    const [first, second] = [await makeOwned(owner), await makeOwned(owner)]
    const key = newKey()
    const [a, b] = [
      (await first.add({ title: 'ci', key: key.text })).body,
      (await second.add({ title: 'ci', key: key.text })).body,
    ]
    const deletion = await call(site, 'DELETE', `${first.path}/${a.id}`, { as: owner })
    expect([deletion.status, deletion.text]).toEqual([204, ''])
    expect((await call(site, 'GET', `${second.path}/${b.id}`, { as: owner })).status).toBe(200)
    expect(await keyRow(key)).toMatchObject({ type: 'deploy', owner_id: null })
    expect((await eventsOf(first.id)).at(-1)).toMatchObject({
      kind: 'deploy_key.removed',
      data: { repositoryId: first.id, deployKeyId: a.id, keyId: a.key_id, title: 'ci' },
    })
    await call(site, 'DELETE', `${second.path}/${b.id}`, { as: owner })
    expect(await keyRow(key)).toBeUndefined()
    const reused = await call(site, 'POST', '/user/keys', { as: owner, body: { title: 'x', key: key.text } })
    expect(reused.status).toBe(201)
  })

  it('happens automatically when the repository is deleted', async () => {
    const { owner, path, add } = await makeOwned()
    const key = newKey()
    await add({ title: 'ci', key: key.text })
    expect((await call(site, 'DELETE', path.replace(/\/keys$/, ''), { as: owner })).status).toBe(204)
    expect(await keyRow(key)).toBeUndefined()
  })

  it('returns 404 for a key that does not exist or belongs to another repository', async () => {
    const owner = await makePerson(site)
    const [first, second] = [await makeOwned(owner), await makeOwned(owner)]
    const { body } = await second.add({ title: 'ci', key: newKey().text })
    for (const id of [body.id, 999_999_999]) {
      expect(outcome(await call(site, 'DELETE', `${first.path}/${id}`, { as: owner }))).toEqual([
        404,
        'not found',
      ])
    }
    expect((await call(site, 'GET', `${second.path}/${body.id}`, { as: owner })).status).toBe(200)
  })
})

describe('a deploy key in the endpoints for all keys', () => {
  it('is shown to site administrators with its type and whether it can write to any repository', async () => {
    const root = await makePerson(site, { is_admin: true })
    const [first, second] = [await makeOwned(), await makeOwned()]
    const key = newKey()
    const { key_id } = (await first.add({ title: 'ci', key: key.text })).body
    const show = (as: Person) => call(site, 'GET', `/user/keys/${key_id}`, { as })
    expect((await show(root)).body).toMatchObject({ title: '', key_type: 'deploy', read_only: true })
    await second.add({ title: 'ci', key: key.text, read_only: false })
    expect((await show(root)).body).toMatchObject({ key_type: 'deploy', read_only: false })
    const query = `fingerprint=${encodeURIComponent(key.fingerprint)}`
    const { body } = await call(site, 'GET', `/user/keys?${query}`, { as: root })
    expect(body).toMatchObject([{ id: key_id, key_type: 'deploy', read_only: false }])
    expect(body[0].user).toBeUndefined()
    const { body: shown } = await show(first.owner)
    expect(['key_type' in shown, 'read_only' in shown]).toEqual([false, false])
  })

  it('is deleted from every repository by a site administrator’s DELETE /user/keys/{id}, and each deletion is recorded', async () => {
    const root = await makePerson(site, { is_admin: true })
    const all = [await makeOwned(), await makeOwned()]
    const { id: keyId } = await makeDeployKey(site.db, all, { title: 'ci' })
    for (const { owner } of all) {
      expect((await call(site, 'DELETE', `/user/keys/${keyId}`, { as: owner })).status).toBe(403)
    }
    expect((await call(site, 'DELETE', `/user/keys/${keyId}`, { as: root })).status).toBe(204)
    for (const { owner, id, path } of all) {
      expect((await call(site, 'GET', path, { as: owner })).body).toEqual([])
      expect(await eventsOf(id)).toMatchObject([
        { kind: 'deploy_key.removed', actor_id: root.account.id, data: { keyId, title: 'ci' } },
      ])
    }
  })

  it('is in no user’s list of keys', async () => {
    const { owner, add } = await makeOwned()
    const own = await makeKey(site.db, owner.account.id)
    await add({ title: 'ci', key: newKey().text })
    expect(idsOf(await call(site, 'GET', '/user/keys', { as: owner }))).toEqual([own.id])
    expect(idsOf(await call(site, 'GET', `/users/${owner.name}/keys`, { as: owner }))).toEqual([own.id])
  })
})
