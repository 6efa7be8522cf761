import { describe, expect, it } from 'vitest'
import { makeDeployKey, makeKey, makeRepository } from '@/db/testing/factories'
import { type Browser, signIn } from '@/testing/browser'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const used = (day: number) => ({ last_used_at: new Date(Date.UTC(2026, 9, day)) })

async function found(browser: Browser, list: string, choice: object, name: string): Promise<unknown[]> {
  const { data } = await browser.query(list, choice)
  return [data.total, ...data.items.map((item: Record<string, unknown>) => item[name])]
}

const eventsOf = async (kind: string, ownerId: number) => {
  const events = site.db.selectFrom('events').select('data').where('kind', '=', kind)
  return (await events.where('owner_id', '=', ownerId).orderBy('id').execute()).map(({ data }) => data)
}

describe('keys.browse', () => {
  it('finds keys by title and fingerprint, in the requested order', async () => {
    const ada = await makePerson(site)
    const { fingerprint } = await makeKey(site.db, ada.account.id, { title: 'Laptop 100%', ...used(2) })
    await makeKey(site.db, ada.account.id, { title: 'desk', ...used(3) })
    await makeKey(site.db, ada.account.id, { title: 'attic' })
    const browser = await signIn(site, ada)
    const find = (choice: object) => found(browser, 'keys.browse', choice, 'title')
    expect(await find({})).toEqual([3, 'attic', 'desk', 'Laptop 100%'])
    expect(await find({ sort: 'name' })).toEqual([3, 'attic', 'desk', 'Laptop 100%'])
    expect(await find({ sort: 'used' })).toEqual([3, 'desk', 'Laptop 100%', 'attic'])
    expect(await find({ q: 'TOP 100%' })).toEqual([1, 'Laptop 100%'])
    expect(await find({ q: fingerprint })).toEqual([1, 'Laptop 100%'])
    expect(await find({ q: fingerprint.slice('SHA256:'.length) })).toEqual([1, 'Laptop 100%'])
    expect(await find({ sort: 'used', limit: 1, page: 2 })).toEqual([3, 'Laptop 100%'])
    expect(await find({ q: 't', page: 9 })).toEqual([2])
    for (const q of ['\0', '\ud800', '%'])
      expect((await browser.query('keys.browse', { q })).status).toBe(200)
  })
})

describe('keys.removeSeveral', () => {
  it('deletes keys, skips those that do not exist, and records each deletion', async () => {
    const ada = await makePerson(site)
    const keys = [await makeKey(site.db, ada.account.id), await makeKey(site.db, ada.account.id)]
    const { title } = await makeKey(site.db, ada.account.id)
    const browser = await signIn(site, ada)
    const ids = keys.map(({ id }) => id)
    expect((await browser.mutate('keys.removeSeveral', { ids: [...ids, 999_999_999] })).data).toBe(2)
    expect(await found(browser, 'keys.browse', {}, 'title')).toEqual([1, title])
    expect(await eventsOf('key.removed', ada.account.id)).toMatchObject(ids.map(keyId => ({ keyId })))
    expect((await browser.mutate('keys.removeSeveral', { ids })).data).toBe(0)
    expect((await browser.mutate('keys.removeSeveral', { ids: [] })).status).toBe(400)
  })

  it('returns 403 and deletes nothing if one key belongs to another user', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const [own, other] = [await makeKey(site.db, ada.account.id), await makeKey(site.db, bob.account.id)]
    const browser = await signIn(site, ada)
    expect((await browser.mutate('keys.removeSeveral', { ids: [own.id, other.id] })).status).toBe(403)
    expect(await found(browser, 'keys.browse', {}, 'id')).toEqual([1, own.id])
  })
})

describe('keys.removeSeveralFor', () => {
  it('lets administrators delete only keys of the named user', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const root = await makePerson(site, { is_admin: true })
    const [theirs, other] = [await makeKey(site.db, ada.account.id), await makeKey(site.db, bob.account.id)]
    const input = { username: ada.name, ids: [theirs.id, other.id] }
    expect((await (await signIn(site, ada)).mutate('keys.removeSeveralFor', input)).status).toBe(403)
    const browser = await signIn(site, root)
    expect((await browser.mutate('keys.removeSeveralFor', input)).data).toBe(1)
    expect(await found(browser, 'keys.browse', { username: ada.name }, 'id')).toEqual([0])
    expect(await found(browser, 'keys.browse', { username: bob.name }, 'id')).toEqual([1, other.id])
  })
})

describe('deploy keys of a repository', () => {
  it('can be found by title and fingerprint, in the requested order', async () => {
    const owner = await makePerson(site)
    const repository = await makeRepository(site.db, owner.account.id)
    const { fingerprint } = await makeDeployKey(site.db, [repository], { title: 'Mirror', ...used(2) })
    await makeDeployKey(site.db, [repository], { title: 'build', ...used(3) })
    await makeDeployKey(site.db, [repository], { title: 'archive' })
    const browser = await signIn(site, owner)
    const path = { owner: owner.name, repo: repository.name }
    const find = (choice: object) => found(browser, 'keys.deploy.browse', { ...path, ...choice }, 'title')
    expect(await find({})).toEqual([3, 'archive', 'build', 'Mirror'])
    expect(await find({ sort: 'name', limit: 2 })).toEqual([3, 'archive', 'build'])
    expect(await find({ sort: 'used' })).toEqual([3, 'build', 'Mirror', 'archive'])
    expect(await find({ q: 'mIRR' })).toEqual([1, 'Mirror'])
    expect(await find({ q: fingerprint.slice(0, 20) })).toEqual([1, 'Mirror'])
  })

  it('can be deleted several at a time by administrators of the repository, and stay in other repositories', async () => {
    const [owner, stranger] = [await makePerson(site), await makePerson(site)]
    const one = await makeRepository(site.db, owner.account.id)
    const two = await makeRepository(site.db, owner.account.id)
    for (const repositories of [[one, two], [one], [two]]) await makeDeployKey(site.db, repositories)
    const browser = await signIn(site, owner)
    const idsOf = async ({ name: repo }: { name: string }) => {
      const [, ...ids] = await found(browser, 'keys.deploy.browse', { owner: owner.name, repo }, 'id')
      return ids as number[]
    }
    const [inOne, inTwo] = [await idsOf(one), await idsOf(two)]
    const input = { owner: owner.name, repo: one.name, ids: [...inOne, ...inTwo] }
    const refused = await (await signIn(site, stranger)).mutate('keys.deploy.removeSeveral', input)
    expect(refused.status).toBe(403)
    expect((await browser.mutate('keys.deploy.removeSeveral', input)).data).toBe(inOne.length)
    expect([await idsOf(one), await idsOf(two)]).toEqual([[], inTwo])
    const removed = inOne.toReversed().map(deployKeyId => ({ deployKeyId, repositoryId: one.id }))
    expect(await eventsOf('deploy_key.removed', owner.account.id)).toMatchObject(removed)
  })
})

describe('access tokens', () => {
  it('can be found by name and last characters, in the requested order, and revoked several at a time', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const browser = await signIn(site, ada)
    const make = async (name: string, token_last_eight: string, rest: object) => {
      const id = await site.db
        .insertInto('access_tokens')
        .values({
          user_id: ada.account.id,
          name,
          token_hash: Buffer.from(`${ada.account.id} ${name}`),
          token_last_eight,
          scopes: ['all'],
          ...rest,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id.id
    }
    await site.db.deleteFrom('access_tokens').where('user_id', '=', ada.account.id).execute()
    const ids = [
      await make('Release', '0000abcd', { ...used(2), expires_at: new Date('2099-02-01T00:00:00Z') }),
      await make('build', '11111111', { ...used(3), expires_at: new Date('2099-01-01T00:00:00Z') }),
      await make('archive', '22222222', {}),
    ]
    const find = (choice: object) =>
      found(browser, 'tokens.browse', { username: ada.name, ...choice }, 'name')
    expect(await find({})).toEqual([3, 'archive', 'build', 'Release'])
    expect(await find({ sort: 'name' })).toEqual([3, 'archive', 'build', 'Release'])
    expect(await find({ sort: 'used' })).toEqual([3, 'build', 'Release', 'archive'])
    expect(await find({ sort: 'expires' })).toEqual([3, 'build', 'Release', 'archive'])
    expect(await find({ q: 'rEl' })).toEqual([1, 'Release'])
    expect(await find({ q: '0000abcd' })).toEqual([1, 'Release'])

    const input = { username: ada.name, ids: ids.slice(0, 2) }
    const theirs = await signIn(site, bob)
    expect((await theirs.mutate('tokens.removeSeveral', input)).status).toBe(403)
    expect((await theirs.mutate('tokens.removeSeveral', { ...input, username: bob.name })).data).toBe(0)
    expect(await find({})).toEqual([3, 'archive', 'build', 'Release'])
    expect((await browser.mutate('tokens.removeSeveral', input)).data).toBe(2)
    expect(await find({})).toEqual([1, 'archive'])
    expect((await eventsOf('token.removed', ada.account.id)).length).toBe(2)
  })
})

describe('sessions', () => {
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const safari = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605 Version/26 Safari/605'

  it('can be found by browser and address, sorted, and revoked several at a time, except for the current one', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const here = await signIn(site, ada)
    const [{ id: current }] = (await here.query('sessions.browse', {})).data.items
    const make = async (owner: typeof ada, user_agent: string, last_seen_at: Date) => {
      const session = {
        user_id: owner.account.id,
        token_hash: Buffer.from(`${owner.account.id} ${user_agent}`),
        user_agent,
        remote_address: '192.0.2.7',
        last_seen_at,
        expires_at: new Date('2099-01-01T00:00:00Z'),
      }
      return (await site.db.insertInto('sessions').values(session).returning('id').executeTakeFirstOrThrow())
        .id
    }
    const mine = [
      await make(ada, firefox, new Date('2026-10-02T00:00:00Z')),
      await make(ada, safari, new Date('2026-10-01T00:00:00Z')),
    ]
    const other = await make(bob, firefox, new Date())
    const find = (choice: object) => found(here, 'sessions.browse', choice, 'id')
    expect(await find({})).toEqual([3, current, ...mine])
    expect(await find({ sort: 'newest' })).toEqual([3, mine[1], mine[0], current])
    expect(await find({ sort: 'newest', limit: 2, page: 2 })).toEqual([3, current])
    expect(await find({ q: 'safari on MACOS' })).toEqual([1, mine[1]])
    expect(await find({ q: '192.0.2' })).toEqual([2, ...mine])
    expect(await found(here, 'sessions.browse', { q: '192.' }, 'name')).toEqual([
      2,
      'Firefox on Linux',
      'Safari on macOS',
    ])

    const withCurrent = await here.mutate('sessions.revokeSeveral', { ids: [...mine, current] })
    expect(withCurrent.status).toBe(422)
    expect(await find({})).toEqual([3, current, ...mine])
    expect((await here.mutate('sessions.revokeSeveral', { ids: [...mine, other] })).data).toBe(2)
    expect(await find({})).toEqual([1, current])
    const ended = mine.map(sessionId => ({ sessionId }))
    expect(await eventsOf('session.ended', ada.account.id)).toEqual(ended)
    const kept = await site.db.selectFrom('sessions').select('id').where('id', '=', other).execute()
    expect(kept).toHaveLength(1)
  })
})
