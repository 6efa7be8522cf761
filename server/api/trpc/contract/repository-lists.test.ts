import { access } from 'node:fs/promises'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Db } from '@/db/client'
import { attach, makeRepository, makeUser } from '@/db/testing/factories'
import { type Browser, signIn } from '@/testing/browser'
import { makeGitRepository } from '@/testing/git-repository'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { makeTeamCast } from '@/testing/team-cast'

const site = useSite()

const namesIn = async (browser: Browser, input: object) => {
  const { data } = await browser.query('repos.browse', input)
  return [data.total, ...data.items.map(({ name }: { name: string }) => name)]
}

describe('repos.browse', () => {
  it('finds repositories by words in name and description, kind, and visibility, in the requested order', async () => {
    const owner = await makePerson(site)
    const { id, name } = owner.account
    const made = (fields: object) => makeRepository(site.db, id, fields)
    await made({ name: 'anvil', description: 'Forged 100% by hand', size_kib: 5, updated_at: '2020-01-01' })
    await made({ name: 'bellows', is_template: true, size_kib: 9, updated_at: '2020-01-03' })
    await made({ name: 'crucible', is_private: true, size_kib: 1, updated_at: '2020-01-02' })
    await made({ name: 'die', archived_at: '2020-01-04', updated_at: '2020-01-04' })
    const browser = await signIn(site, owner)
    for (const scope of [{ owner: name }, 'mine']) {
      const found = (choice: object) => namesIn(browser, { scope, ...choice })
      expect(await found({})).toEqual([4, 'die', 'bellows', 'crucible', 'anvil'])
      expect(await found({ sort: 'name' })).toEqual([4, 'anvil', 'bellows', 'crucible', 'die'])
      expect(await found({ sort: 'newest' })).toEqual([4, 'die', 'crucible', 'bellows', 'anvil'])
      expect(await found({ sort: 'size', limit: 2 })).toEqual([4, 'bellows', 'anvil'])
      expect(await found({ kind: 'sources' })).toEqual([2, 'crucible', 'anvil'])
      expect(await found({ kind: 'templates' })).toEqual([1, 'bellows'])
      expect(await found({ kind: 'archived' })).toEqual([1, 'die'])
      expect(await found({ visibility: 'private' })).toEqual([1, 'crucible'])
      expect(await found({ visibility: 'public', kind: 'sources' })).toEqual([1, 'anvil'])
      expect(await found({ q: 'HAND 100%' })).toEqual([1, 'anvil'])
      expect(await found({ sort: 'name', page: 2, limit: 1 })).toEqual([4, 'bellows'])
      expect(await found({ q: 'anvil', page: 9 })).toEqual([1])
    }
    expect(await namesIn(browser, { scope: 'all', q: `${name}/d` })).toEqual([1, 'die'])
  })

  it('returns and counts only visible repositories, with the viewer’s permissions', async () => {
    const { root, owner, inTeam, outsider, org, team } = await makeTeamCast(site, { team: { mode: 'admin' } })
    const open = await makeRepository(site.db, org.id, { name: 'open' })
    const shared = await makeRepository(site.db, org.id, { name: 'given', is_private: true })
    await makeRepository(site.db, org.id, { name: 'closed', is_private: true })
    await attach(site.db, team, shared.id)
    const shown = async (person: typeof owner, choice: object = {}) => {
      const input = { scope: { owner: org.name }, sort: 'name', ...choice }
      const { data } = await (await signIn(site, person)).query('repos.browse', input)
      return data.items.map((one: { name: string; may_administer: boolean; may_delete: boolean }) => [
        one.name,
        one.may_administer,
        one.may_delete,
      ])
    }
    for (const person of [root, owner]) {
      expect(await shown(person)).toEqual([
        ['closed', true, true],
        ['given', true, true],
        ['open', true, true],
      ])
    }
    expect(await shown(inTeam)).toEqual([
      ['given', true, false],
      ['open', false, false],
    ])
    expect(await shown(inTeam, { scope: 'mine' })).toEqual([['given', true, false]])
    expect(await shown(inTeam, { scope: 'all', q: org.name, visibility: 'private' })).toEqual([
      ['given', true, false],
    ])
    expect(await shown(outsider)).toEqual([[open.name, false, false]])
    expect(
      await namesIn(await signIn(site, outsider), { scope: { owner: org.name }, visibility: 'private' }),
    ).toEqual([0])
  })

  it.each([
    '\0',
    'x'.repeat(100),
    '\ud800',
    '%00',
    '/',
    'a/b/c',
    Array(40)
      .fill('x')
      .map((x, n) => x + n)
      .join(' ')
      .slice(0, 100),
  ])('returns an empty list for a text that no name contains (%#)', async q => {
    const browser = await signIn(site, await makePerson(site))
    const answer = await browser.query('repos.browse', { scope: 'mine', q })
    expect([answer.status, answer.data?.total]).toEqual([200, 0])
  })
})

const eventsOf = async (ids: readonly number[]) =>
  (await site.db.selectFrom('events').select(['kind', 'data']).orderBy('id').execute()).filter(({ data }) =>
    ids.includes((data as { repositoryId: number }).repositoryId),
  )

describe('repos.archiveAll', () => {
  it('archives and unarchives several repositories, with one event each, and returns those it changed', async () => {
    const owner = await makePerson(site)
    const ids = []
    for (let count = 0; count < 3; count++) ids.push((await makeRepository(site.db, owner.account.id)).id)
    const browser = await signIn(site, owner)
    const path = { ids: [...ids, 999_999_999] }
    await browser.mutate('repos.archiveAll', { ids: ids.slice(0, 1), archived: true })
    expect((await browser.mutate('repos.archiveAll', { ...path, archived: true })).data).toEqual(ids.slice(1))
    expect((await browser.mutate('repos.archiveAll', { ...path, archived: false })).data).toEqual(ids)
    const reported = await eventsOf(ids)
    expect(reported).toHaveLength(6)
    for (const { kind, data } of reported) {
      expect([kind, (data as { changed: string }).changed]).toEqual(['repository.edited', 'archived_at'])
    }
  })

  it('changes nothing unless the caller administers all repositories, and accepts up to 100', async () => {
    const { inTeam, org, team } = await makeTeamCast(site, { team: { mode: 'admin' } })
    const [shared, open] = [await makeRepository(site.db, org.id), await makeRepository(site.db, org.id)]
    await attach(site.db, team, shared.id)
    const browser = await signIn(site, inTeam)
    const ids = [shared.id, open.id]
    const refused = await browser.mutate('repos.archiveAll', { ids, archived: true })
    expect(refused.error?.data.kind).toBe('forbidden')
    expect(await eventsOf(ids)).toEqual([])
    for (const wrong of [[], Array.from({ length: 101 }, (_, index) => index + 1)]) {
      const answer = await browser.mutate('repos.archiveAll', { ids: wrong, archived: true })
      expect(answer.error?.data.kind).toBe('invalid')
    }
  })
})

// The embedded database has only one connection.
describe.skipIf(!process.env.GUILDHALL_TEST_DATABASE_URL)(
  'the repositories of an owner being renamed',
  () => {
    const makeScene = async () => {
      const owner = await makePerson(site)
      const [first, second] = [
        await makeRepository(site.db, owner.account.id),
        await makeRepository(site.db, owner.account.id),
      ]
      // Moves the row behind the second one on disk.
      await site.db
        .updateTable('repositories')
        .set({ name: `${first.name}-renamed` })
        .where('id', '=', first.id)
        .execute()
      return { owner, ids: [first.id, second.id] }
    }
    const lock = (trx: Db, table: string, ids: readonly number[]) =>
      sql`select from ${sql.table(table)} where id = any (${[...ids]}::bigint[]) for no key update nowait`.execute(
        trx,
      )
    const waiting = async () => {
      const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(site.db)
      return rows.length
    }

    it('are locked in the order of their IDs', async () => {
      const { owner, ids } = await makeScene()
      const other = await site.db.startTransaction().execute()
      await lock(other, 'repositories', ids.slice(0, 1))
      const naming = site.db
        .updateTable('users')
        .set({ name: `${owner.name}-renamed` })
        .where('id', '=', owner.account.id)
        .execute()
      await expect.poll(waiting).toBe(1)
      await lock(other, 'repositories', ids.slice(1))
      await other.commit().execute()
      await naming
    })

    it('can be archived only after the rename, and are not locked before', async () => {
      const { owner, ids } = await makeScene()
      const browser = await signIn(site, owner)
      const naming = await site.db.startTransaction().execute()
      await lock(naming, 'users', [owner.account.id])
      const archiving = browser.mutate('repos.archiveAll', { ids, archived: true })
      await expect.poll(waiting).toBe(1)
      await lock(naming, 'repositories', ids)
      await naming.commit().execute()
      expect((await archiving).data).toEqual(ids)
    })
  },
)

describe('repos.removeAll', () => {
  it('deletes several repositories with their Git data, returns their IDs, and skips those already deleted', async () => {
    const owner = await makePerson(site)
    const made = [await makeGitRepository(site, owner.account), await makeGitRepository(site, owner.account)]
    const ids = made.map(({ id }) => id)
    const browser = await signIn(site, owner)
    const answer = await browser.mutate('repos.removeAll', { ids: [...ids, 999_999_999] })
    expect(answer.data).toEqual({ removed: ids, left: [] })
    for (const { directory } of made) await expect(access(directory)).rejects.toThrow()
    expect((await eventsOf(ids)).map(({ kind }) => kind)).toEqual([
      'repository.deleted',
      'repository.deleted',
    ])
    expect(await namesIn(browser, { scope: 'mine' })).toEqual([0])
  })

  it.each([
    ['one deletion fails', 1, (id: number) => `if old.id = ${id} then raise 'refused'; end if;`],
    [
      'the caller is prohibited from signing in',
      0,
      (id: number) =>
        `if old.id = ${id} then update users set prohibit_login = true where id = old.owner_id; end if;`,
    ],
  ])('keeps completed deletions when %s, and returns the remaining repositories', async (_, index, what) => {
    const owner = await makePerson(site)
    const ids: number[] = []
    for (let count = 0; count < 3; count++) ids.push((await makeRepository(site.db, owner.account.id)).id)
    const name = `on_deletion_of_${ids[index]}`
    await sql
      .raw(`create function ${name}() returns trigger language plpgsql as $$ begin
        ${what(ids[index] as number)}
        return old;
      end $$`)
      .execute(site.db)
    await sql
      .raw(`create trigger ${name} before delete on repositories for each row execute function ${name}()`)
      .execute(site.db)
    const browser = await signIn(site, owner)
    const answer = await browser.mutate('repos.removeAll', { ids })
    await sql.raw(`drop function ${name}() cascade`).execute(site.db)
    expect(answer.data).toEqual({ removed: ids.slice(0, 1), left: ids.slice(1) })
    expect((await eventsOf(ids)).map(({ kind }) => kind)).toEqual(['repository.deleted'])
  })

  it('deletes nothing if the caller administers one of the repositories without owning it', async () => {
    const { inTeam, org, team } = await makeTeamCast(site, { team: { mode: 'admin' } })
    const shared = await makeRepository(site.db, org.id)
    await attach(site.db, team, shared.id)
    const own = await makeRepository(site.db, inTeam.account.id)
    const browser = await signIn(site, inTeam)
    const refused = await browser.mutate('repos.removeAll', { ids: [own.id, shared.id] })
    expect(refused.error?.data.kind).toBe('forbidden')
    expect((await namesIn(browser, { scope: 'mine', sort: 'newest' })).slice(1)).toEqual([
      own.name,
      shared.name,
    ])
  })
})

describe('search.browseAccounts', () => {
  it('finds users and organizations by words in any order, only those visible to the caller', async () => {
    const { root, org, member, outsider } = await makeTeamCast(site, { org: { visibility: 'private' } })
    const word = `quill${org.id}`
    const one = await makeUser(site.db, { name: `${word}-b`, full_name: 'Ada Case' })
    const two = await makeUser(site.db, { name: `${word}-a`, full_name: 'Zoe', visibility: 'private' })
    const shown = async (person: typeof member, choice: object) => {
      const { data } = await (await signIn(site, person)).query('search.browseAccounts', choice)
      return [data.total, ...data.items.map(({ name }: { name: string }) => name)]
    }
    expect(await shown(outsider, { kind: 'person', q: `case ${word}` })).toEqual([1, one.name])
    expect(await shown(outsider, { kind: 'person', q: word })).toEqual([1, one.name])
    expect(await shown(root, { kind: 'person', q: word })).toEqual([2, two.name, one.name])
    expect(await shown(root, { kind: 'person', q: word, sort: 'newest' })).toEqual([2, two.name, one.name])
    expect(await shown(member, { kind: 'organization', q: org.name })).toEqual([1, org.name])
    expect(await shown(outsider, { kind: 'organization', q: org.name })).toEqual([0])
  })
})
