import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenDatabase } from './client'
import { addToOrg, addToTeam, attach, makeOrg, makeRepository, makeTeam, makeUser } from './testing/factories'
import { openTestDatabase } from './testing/test-database'

let database: OpenDatabase
beforeAll(async () => {
  database = await openTestDatabase()
}, 60_000)
afterAll(() => database.close())

const countsOf = (id: number) =>
  database.db
    .selectFrom('users')
    .select([
      'team_count',
      'member_count',
      'public_member_count',
      'repository_count',
      'public_repository_count',
    ])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

const teamCountsOf = (id: number) =>
  database.db
    .selectFrom('teams')
    .select(['member_count', 'repository_count'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

describe('the count columns', () => {
  it('follow inserts, updates and deletes, including cascades', async () => {
    const { db } = database
    const [owner, member] = [await makeUser(db), await makeUser(db)]
    const org = await makeOrg(db, owner.id)
    const team = await makeTeam(db, org.id)
    await addToOrg(db, org.id, member.id, true)
    await addToTeam(db, team, member.id)
    const repository = await makeRepository(db, org.id)
    await attach(db, team, repository.id)
    expect(await countsOf(org.id)).toEqual({
      team_count: 2,
      member_count: 2,
      public_member_count: 1,
      repository_count: 1,
      public_repository_count: 1,
    })
    expect(await teamCountsOf(team.id)).toEqual({ member_count: 1, repository_count: 1 })

    await db.updateTable('repositories').set({ is_private: true }).where('id', '=', repository.id).execute()
    await db
      .updateTable('organization_members')
      .set({ is_public: false })
      .where('org_id', '=', org.id)
      .execute()
    expect(await countsOf(org.id)).toMatchObject({ public_member_count: 0, public_repository_count: 0 })

    await db.deleteFrom('users').where('id', '=', member.id).execute()
    await db.deleteFrom('repositories').where('id', '=', repository.id).execute()
    expect(await teamCountsOf(team.id)).toEqual({ member_count: 0, repository_count: 0 })
    expect(await countsOf(org.id)).toMatchObject({ member_count: 1, repository_count: 0 })

    await db.deleteFrom('teams').where('id', '=', team.id).execute()
    expect(await countsOf(org.id)).toMatchObject({ team_count: 1, member_count: 1 })
  })

  it('are updated only once by a statement that changes many rows', async () => {
    const { db } = database
    const repository = await makeRepository(db, (await makeUser(db)).id)
    const row = () =>
      db
        .selectFrom('repositories')
        .select(['release_count', sql<string>`(select count(*) from repository_updates)`.as('updates')])
        .where('id', '=', repository.id)
        .executeTakeFirstOrThrow()
    await sql`create table repository_updates (at timestamptz)`.execute(db)
    await sql`create function note_update() returns trigger language plpgsql as $$ begin
      insert into repository_updates values (now()); return null; end $$`.execute(db)
    await sql`create trigger note_update after update on repositories for each row
      execute function note_update()`.execute(db)
    const releases = Array.from({ length: 50 }, (_, at) => ({
      repository_id: repository.id,
      tag_name: `v${at}`,
      is_draft: at < 10,
    }))
    await db.insertInto('releases').values(releases).execute()
    expect(await row()).toMatchObject({ release_count: 40, updates: 1 })
    await db.updateTable('releases').set({ is_draft: true }).execute()
    expect(await row()).toMatchObject({ release_count: 0, updates: 2 })
    await db.updateTable('releases').set({ title: 'New' }).execute()
    await db.updateTable('releases').set({ is_draft: false }).execute()
    expect(await row()).toMatchObject({ release_count: 50, updates: 3 })
    await db.deleteFrom('releases').where('repository_id', '=', repository.id).execute()
    expect(await row()).toMatchObject({ release_count: 0, updates: 4 })
  })

  it('are correct after many concurrent inserts', async () => {
    const { db } = database
    const org = await makeOrg(db, (await makeUser(db)).id)
    const team = await makeTeam(db, org.id)
    const people = await Promise.all(Array.from({ length: 20 }, () => makeUser(db)))
    await Promise.all(people.map(person => addToTeam(db, team, person.id)))
    expect(await teamCountsOf(team.id)).toMatchObject({ member_count: 20 })
    expect(await countsOf(org.id)).toMatchObject({ member_count: 21 })
  })
})

describe('the copied names that lists are sorted by', () => {
  it('match the person’s names, even after they change', async () => {
    const { db } = database
    const person = await makeUser(db, { full_name: 'Ada Lovelace' })
    const org = await makeOrg(db, person.id)
    const copies = () =>
      Promise.all(
        (['organization_members', 'team_members'] as const).map(table =>
          db.selectFrom(table).select(['shown_name', 'name']).where('user_id', '=', person.id).execute(),
        ),
      )
    const both = (shown_name: string, name: string) => [[{ shown_name, name }], [{ shown_name, name }]]
    expect(await copies()).toEqual(both('ada lovelace', person.name))
    await db.updateTable('users').set({ full_name: 'Ada Byron' }).where('id', '=', person.id).execute()
    expect(await copies()).toEqual(both('ada byron', person.name))
    await db
      .updateTable('users')
      .set({ name: `X${org.id}` })
      .where('id', '=', person.id)
      .execute()
    expect(await copies()).toEqual(both('ada byron', `x${org.id}`))
  })

  it('match the repository’s name, even after a rename', async () => {
    const { db } = database
    const org = await makeOrg(db, (await makeUser(db)).id)
    const repository = await makeRepository(db, org.id, { name: 'Roof' })
    const copy = () =>
      db.selectFrom('team_repositories').select('name').where('repository_id', '=', repository.id).execute()
    expect(await copy()).toEqual([{ name: 'roof' }])
    await db.updateTable('repositories').set({ name: 'Slate' }).where('id', '=', repository.id).execute()
    expect(await copy()).toEqual([{ name: 'slate' }])
  })
})

describe('the table constraints', () => {
  it('reject a team member from outside the organization, and a repository of another owner in a team', async () => {
    const { db } = database
    const [owner, stranger] = [await makeUser(db), await makeUser(db)]
    const org = await makeOrg(db, owner.id)
    const team = { team_id: org.ownersTeamId, org_id: org.id }
    await expect(
      db
        .insertInto('team_members')
        .values({ ...team, user_id: stranger.id })
        .execute(),
    ).rejects.toMatchObject({ code: '23503' })
    const foreign = await makeRepository(db, stranger.id)
    await expect(
      db
        .insertInto('team_repositories')
        .values({ ...team, repository_id: foreign.id })
        .execute(),
    ).rejects.toMatchObject({ code: '23503' })
  })

  it('reject a second owners team, and two teams whose names differ only in case', async () => {
    const { db } = database
    const org = await makeOrg(db, (await makeUser(db)).id)
    await expect(makeTeam(db, org.id, { mode: 'owner', is_owners: true })).rejects.toMatchObject({
      code: '23505',
    })
    await makeTeam(db, org.id, { name: 'Builders' })
    await expect(makeTeam(db, org.id, { name: 'BUILDERS' })).rejects.toMatchObject({ code: '23505' })
  })
})
