import { describe, expect, it } from 'vitest'
import { addToTeam, makeOrg, makeRepository, makeUser } from '@/db/testing/factories'
import { type Browser, signIn } from '@/testing/browser'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const makeAdmin = () => makePerson(site, { is_admin: true })

describe('users.browse', () => {
  it('finds accounts by text, role, and state, in the requested order', async () => {
    const root = await makeAdmin()
    const end = `-browse${root.account.id}`
    const make = (name: string, fields: Parameters<typeof makeUser>[1]) =>
      makeUser(site.db, { name: `${name}${end}`, ...fields })
    await make('cleo', { is_admin: true, last_login_at: new Date('2021-01-01') })
    await make('Bea', { prohibit_login: true, must_change_password: true })
    await make('abe', { is_active: false, is_restricted: true, last_login_at: new Date('2022-01-01') })
    await make('dora', { full_name: 'Dora 100%' })
    const browser = await signIn(site, root)
    const found = async (choice: object) => {
      const { data } = await browser.query('users.browse', { q: end, ...choice })
      return [data.total, ...data.items.map(({ login }: { login: string }) => login.replace(end, ''))]
    }
    expect(await found({})).toEqual([4, 'abe', 'Bea', 'cleo', 'dora'])
    expect(await found({ sort: 'oldest' })).toEqual([4, 'cleo', 'Bea', 'abe', 'dora'])
    expect(await found({ sort: 'newest', limit: 2, page: 2 })).toEqual([4, 'Bea', 'cleo'])
    expect((await found({ sort: 'last_login' })).slice(0, 3)).toEqual([4, 'abe', 'cleo'])
    expect(await found({ role: 'administrators' })).toEqual([1, 'cleo'])
    expect(await found({ role: 'others' })).toEqual([3, 'abe', 'Bea', 'dora'])
    expect(await found({ role: 'restricted' })).toEqual([1, 'abe'])
    expect(await found({ role: 'must_change_password' })).toEqual([1, 'Bea'])
    expect(await found({ state: 'active' })).toEqual([2, 'cleo', 'dora'])
    expect(await found({ state: 'disabled' })).toEqual([1, 'Bea'])
    expect(await found({ state: 'inactive', role: 'others' })).toEqual([1, 'abe'])
    expect(await found({ q: 'ora 100%', page: 9 })).toEqual([1])
    const { data } = await browser.query('users.browse', { q: `bea${end}` })
    expect(data.items).toEqual([expect.objectContaining({ must_change_password: true })])
  })
})

describe('users.prohibitLogin', () => {
  const set = (browser: Browser, ids: readonly number[], prohibit_login: boolean) =>
    browser.mutate('users.prohibitLogin', { ids, prohibit_login })
  const edits = async (id: number) =>
    (
      await site.db
        .selectFrom('events')
        .select('data')
        .where('owner_id', '=', id)
        .where('kind', '=', 'user.edited')
        .execute()
    ).map(({ data }) => (data as { changed: string }).changed)

  it('blocks several users and ends their sessions, or unblocks them, with one event each, and returns those changed', async () => {
    const [root, first, second] = [await makeAdmin(), await makePerson(site), await makePerson(site)]
    const browser = await signIn(site, root)
    const session = await signIn(site, first)
    const ids = [first.account.id, second.account.id]
    const { id: org } = await makeOrg(site.db, root.account.id)
    for (const changed of [ids, []]) {
      expect((await set(browser, [...ids, org, 999_999_999], true)).data.toSorted()).toEqual(changed)
    }
    expect((await session.query('users.getMe', undefined)).status).toBe(401)
    expect((await set(browser, ids.slice(0, 1), false)).data).toEqual([first.account.id])
    expect(await edits(first.account.id)).toEqual(['prohibit_login', 'prohibit_login'])
    expect(await edits(second.account.id)).toEqual(['prohibit_login'])
    expect((await (await signIn(site, first)).query('users.getMe', undefined)).status).toBe(200)
  })

  it('is rejected if no administrator would remain, and for everyone but administrators', async () => {
    const [root, other, person] = [await makeAdmin(), await makeAdmin(), await makePerson(site)]
    const browser = await signIn(site, root)
    const admins = await site.db.selectFrom('users').select('id').where('is_admin', '=', true).execute()
    const ids = admins.map(({ id }) => id)
    expect((await set(browser, [...ids, person.account.id], true)).error?.data).toMatchObject({
      kind: 'unprocessable',
      reason: { code: 'lastAdministrator' },
    })
    expect(await edits(person.account.id)).toEqual([])
    expect((await set(browser, [other.account.id], true)).status).toBe(200)
    expect((await set(await signIn(site, person), [root.account.id], true)).status).toBe(403)
  })
})

describe('users.listDeletionObstacles', () => {
  it('returns to administrators what an account is the only owner of', async () => {
    const [root, person, other] = [await makeAdmin(), await makePerson(site), await makePerson(site)]
    const shared = await makeOrg(site.db, person.account.id)
    await addToTeam(site.db, { id: shared.ownersTeamId, org_id: shared.id }, other.account.id)
    const own = await makeOrg(site.db, person.account.id)
    for (const name of ['zeta', 'Alpha']) await makeRepository(site.db, person.account.id, { name })
    const ask = async (as: typeof root, username: string) =>
      await (await signIn(site, as)).query('users.listDeletionObstacles', { username })
    expect((await ask(root, person.name)).data).toEqual({
      repositories: { total: 2, names: [`${person.name}/Alpha`, `${person.name}/zeta`] },
      organizations: { total: 1, names: [own.name] },
    })
    const nothing = { total: 0, names: [] }
    expect((await ask(root, other.name)).data).toEqual({ repositories: nothing, organizations: nothing })
    expect((await ask(root, 'nobody-at-all')).status).toBe(404)
    expect((await ask(person, person.name)).status).toBe(403)
  })
})
