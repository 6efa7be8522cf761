import { describe, expect, it } from 'vitest'
import { addToTeam, attach, makeOrg, makeRepository, makeTeam } from '@/db/testing/factories'
import { type EventKind, isInFeed, type NewEvent } from '@/server/events'
import { Browser, signIn } from '@/testing/browser'
import { call } from '@/testing/call'
import { makePerson, type Person } from '@/testing/people'
import { type Site, useSite } from '@/testing/site'

const site = useSite()

interface Scene {
  owner: Person
  member: Person
  org: { id: number; name: string }
  team: { id: number; org_id: number }
  attached: { id: number; name: string }
  other: { id: number; name: string }
}

async function makeScene(): Promise<Scene> {
  const [owner, member] = [await makePerson(site), await makePerson(site)]
  const org = await makeOrg(site.db, owner.account.id)
  const team = await makeTeam(site.db, org.id)
  await addToTeam(site.db, team, member.account.id)
  const attached = await makeRepository(site.db, org.id, { is_private: true })
  await attach(site.db, team, attached.id)
  const other = await makeRepository(site.db, org.id, { is_private: true })
  return { owner, member, org, team, attached, other }
}

async function happened(
  { db }: Site,
  kind: EventKind,
  where: { id: number; owner: number; actor?: number | null },
  facts: object = {},
  at = new Date(),
): Promise<number> {
  const { id } = await db
    .insertInto('events')
    .values({
      kind,
      in_feed: isInFeed({ kind, facts } as NewEvent),
      actor_id: where.actor ?? null,
      owner_id: where.owner,
      repository_id: where.id,
      data: JSON.stringify(facts),
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const ids = (body: { id: number }[]): number[] => body.map(entry => entry.id)

describe('GET /teams/{id}/activities/feeds', () => {
  it("returns 200 and the events of the team's repositories, also private ones, newest first, with total and links", async () => {
    const { owner, member, org, team, attached, other } = await makeScene()
    const where = { id: attached.id, owner: org.id, actor: owner.account.id }
    const first = await happened(site, 'repository.created', where)
    const second = await happened(site, 'git.pushed', where, {
      ref: 'refs/heads/main',
      before: 'a',
      after: 'b',
    })
    await happened(site, 'repository.created', { ...where, id: other.id })
    const answer = await call(site, 'GET', `/teams/${team.id}/activities/feeds?limit=1`, { as: member })
    expect([answer.status, ids(answer.body)]).toEqual([200, [second]])
    expect(answer.headers.get('x-total-count')).toBe('2')
    expect(answer.headers.get('link')).toContain('rel="next"')
    const next = await call(site, 'GET', `/teams/${team.id}/activities/feeds?limit=1&page=2`, { as: member })
    expect(next.body).toMatchObject([
      {
        id: first,
        op_type: 'create_repo',
        user_id: org.id,
        act_user: { login: owner.name },
        repo: { full_name: `${org.name}/${attached.name}` },
        is_private: true,
        ref_name: '',
        content: '',
        comment: null,
      },
    ])
  })

  it('returns 200 without events of repositories that the team has no permissions on', async () => {
    const { owner, org, attached } = await makeScene()
    const powerless = await makeTeam(site.db, org.id, { mode: 'none' }, {})
    const member = await makePerson(site)
    await addToTeam(site.db, powerless, member.account.id)
    await attach(site.db, powerless, attached.id)
    await happened(site, 'repository.created', { id: attached.id, owner: org.id, actor: owner.account.id })
    const answer = await call(site, 'GET', `/teams/${powerless.id}/activities/feeds`, { as: member })
    expect([answer.body, answer.headers.get('x-total-count')]).toEqual([[], '0'])
  })

  it('returns code events only to people who can read the code', async () => {
    const { owner, org, attached } = await makeScene()
    const triage = await makeTeam(site.db, org.id, { mode: 'none' }, { 'repo.issues': 'write' })
    const triager = await makePerson(site)
    await addToTeam(site.db, triage, triager.account.id)
    await attach(site.db, triage, attached.id)
    const where = { id: attached.id, owner: org.id, actor: owner.account.id }
    const created = await happened(site, 'repository.created', where)
    for (const kind of ['git.pushed', 'ref.created', 'ref.deleted'] as const) {
      await happened(site, kind, where, { ref: 'refs/heads/secret', before: 'a', summary: 'secret' })
    }
    for (const feed of [
      `/teams/${triage.id}`,
      `/orgs/${org.name}`,
      `/users/${owner.name}`,
      `/repos/${org.name}/${attached.name}`,
    ]) {
      const answer = await call(site, 'GET', `${feed}/activities/feeds`, { as: triager })
      expect(ids(answer.body), feed).toEqual([created])
      expect(answer.headers.get('x-total-count'), feed).toBe('1')
      expect(answer.text, feed).not.toContain('secret')
    }
  })

  it('filters by a date as a day in UTC, and ignores an invalid date', async () => {
    const { member, org, team, attached } = await makeScene()
    const where = { id: attached.id, owner: org.id }
    const on = (time: string) => happened(site, 'repository.created', where, {}, new Date(time))
    await on('2026-03-01T23:59:59.999Z')
    const early = await on('2026-03-02T00:00:00Z')
    const late = await on('2026-03-02T23:59:59Z')
    await on('2026-03-03T00:00:00Z')
    const feed = (date: string) =>
      call(site, 'GET', `/teams/${team.id}/activities/feeds?date=${date}`, { as: member })
    expect(ids((await feed('2026-03-02')).body)).toEqual([late, early])
    for (const nonsense of ['', 'yesterday', '2026-13-01', '2026-02-30', '02.03.2026']) {
      expect((await feed(nonsense)).headers.get('x-total-count'), nonsense).toBe('4')
    }
  })

  it('returns 403 to organization members outside the team, and 404 to outsiders and for an unknown team', async () => {
    const { org, team } = await makeScene()
    const [colleague, outsider] = [await makePerson(site), await makePerson(site)]
    await addToTeam(site.db, await makeTeam(site.db, org.id), colleague.account.id)
    const asked = (as: Person, id: number) => call(site, 'GET', `/teams/${id}/activities/feeds`, { as })
    expect((await asked(colleague, team.id)).body.message).toBe('Must be a team member')
    expect((await asked(outsider, team.id)).status).toBe(404)
    expect((await asked(outsider, 999_999_999)).status).toBe(404)
  })
})

describe('feed entries', () => {
  const reported = async (kind: EventKind, facts: object) => {
    const { owner, org, attached } = await makeScene()
    await happened(site, kind, { id: attached.id, owner: org.id, actor: owner.account.id }, facts)
    const feed = `/repos/${org.name}/${attached.name}/activities/feeds`
    return (await call(site, 'GET', feed, { as: owner })).body
  }

  it.each<[EventKind, object, string, string]>([
    ['ref.created', { ref: 'refs/heads/next', refType: 'branch' }, 'commit_repo', 'refs/heads/next'],
    ['ref.created', { ref: 'refs/tags/v1', refType: 'tag' }, 'push_tag', 'refs/tags/v1'],
    ['ref.deleted', { ref: 'refs/heads/next', refType: 'branch' }, 'delete_branch', 'refs/heads/next'],
    ['ref.deleted', { ref: 'refs/tags/v1', refType: 'tag' }, 'delete_tag', 'refs/tags/v1'],
    ['release.published', { tag: 'v1', title: 'One' }, 'publish_release', 'refs/tags/v1'],
  ])('present %s of %j as %s', async (kind, facts, op_type, ref_name) => {
    expect(await reported(kind, facts)).toMatchObject([{ op_type, ref_name }])
  })

  it('contain the size, the newest commits, and the comparison path of a push as JSON text', async () => {
    const person = { name: 'Ada', email: 'ada@example.test' }
    const commit = { author: person, committer: person, date: '2026-07-24T10:00:00.000Z' }
    const [entry] = await reported('git.pushed', {
      ref: 'refs/heads/main',
      before: 'aa',
      after: 'cc',
      commits: 7,
      summary: 'Mend the roof',
      newest: [
        { ...commit, sha: 'cc', message: 'Mend the roof\n\nIt leaked.' },
        { ...commit, sha: 'bb', message: 'Look at it' },
      ],
    })
    expect(entry).toMatchObject({ op_type: 'commit_repo', ref_name: 'refs/heads/main' })
    const shown = (Sha1: string, Message: string) => ({
      Sha1,
      Message,
      AuthorEmail: 'ada@example.test',
      AuthorName: 'Ada',
      CommitterEmail: 'ada@example.test',
      CommitterName: 'Ada',
      Timestamp: '2026-07-24T10:00:00Z',
    })
    const head = shown('cc', 'Mend the roof\n\nIt leaked.')
    expect(JSON.parse(entry.content)).toEqual({
      Commits: [head, shown('bb', 'Look at it')],
      HeadCommit: head,
      CompareURL: `${entry.repo.full_name}/compare/aa...cc`,
      Len: 7,
    })
  })

  it('contain the newest commit of a push that was recorded without its commits', async () => {
    const facts = { ref: 'refs/heads/main', before: 'aa', after: 'bb', commits: 3, summary: 'Mend the roof' }
    const [entry] = await reported('git.pushed', facts)
    expect(JSON.parse(entry.content)).toMatchObject({
      Commits: [],
      HeadCommit: { Sha1: 'bb', Message: 'Mend the roof', Timestamp: '0001-01-01T00:00:00Z' },
      Len: 3,
    })
  })

  it('omit pushes that create a branch, and events that are not about repositories', async () => {
    expect(await reported('git.pushed', { ref: 'refs/heads/x', before: '0'.repeat(40), after: 'b' })).toEqual(
      [],
    )
    expect(await reported('collaborator.added', { user: 'x' })).toEqual([])
  })
})

describe('user, organization, and repository feeds', () => {
  it('show everyone the public entries of an organization or user, and the rest only to people with access', async () => {
    const { owner, org, attached } = await makeScene()
    const open = await makeRepository(site.db, org.id)
    const actor = owner.account.id
    const hidden = await happened(site, 'repository.created', { id: attached.id, owner: org.id, actor })
    const shown = await happened(site, 'repository.created', { id: open.id, owner: org.id, actor })
    for (const feed of [`/orgs/${org.name}/activities/feeds`, `/users/${owner.name}/activities/feeds`]) {
      expect(ids((await call(site, 'GET', feed)).body), feed).toEqual([shown])
      expect(ids((await call(site, 'GET', feed, { as: owner })).body), feed).toEqual([shown, hidden])
    }
  })

  it("include events of others in a user's repositories, unless only-performed-by is set", async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const repository = await makeRepository(site.db, ada.account.id)
    const where = { id: repository.id, owner: ada.account.id }
    const own = await happened(site, 'repository.created', { ...where, actor: ada.account.id })
    const others = await happened(site, 'git.pushed', { ...where, actor: bob.account.id }, { before: 'a' })
    const feed = `/users/${ada.name}/activities/feeds`
    expect(ids((await call(site, 'GET', feed)).body)).toEqual([others, own])
    expect(ids((await call(site, 'GET', `${feed}?only-performed-by=true`)).body)).toEqual([own])
  })

  it("assign every entry of a user's feed to that user, also for actions in an organization", async () => {
    const { owner, org } = await makeScene()
    const open = await makeRepository(site.db, org.id)
    const deed = { id: open.id, owner: org.id, actor: owner.account.id }
    await happened(site, 'repository.created', deed)
    const of = async (feed: string) => (await call(site, 'GET', `${feed}/activities/feeds`)).body[0].user_id
    expect(await of(`/users/${owner.name}`)).toBe(owner.account.id)
    expect(await of(`/orgs/${org.name}`)).toBe(org.id)
    expect(await of(`/repos/${org.name}/${open.name}`)).toBe(org.id)
  })

  it('are empty for users who hide their activity, except to themselves and administrators', async () => {
    const ada = await makePerson(site, { hide_activity: true })
    const repository = await makeRepository(site.db, ada.account.id)
    const where = { id: repository.id, owner: ada.account.id, actor: ada.account.id }
    const own = await happened(site, 'repository.created', where)
    for (const [as, shown] of [
      [ada, [own]],
      [await makePerson(site, { is_admin: true }), [own]],
      [await makePerson(site), []],
      [undefined, []],
    ] as const) {
      const answer = await call(site, 'GET', `/users/${ada.name}/activities/feeds`, { as })
      expect([ids(answer.body), answer.headers.get('x-total-count')]).toEqual([shown, String(shown.length)])
    }
  })

  it('neither show nor count the actions of users who hide their activity', async () => {
    const { owner, member, org, team, attached } = await makeScene()
    const shy = await makePerson(site, { hide_activity: true })
    await addToTeam(site.db, team, shy.account.id)
    const where = { id: attached.id, owner: org.id }
    const open = await happened(site, 'repository.created', { ...where, actor: owner.account.id })
    const hidden = await happened(site, 'git.pushed', { ...where, actor: shy.account.id }, { before: 'a' })
    const deleted = await happened(site, 'git.pushed', { ...where, actor: null }, { before: 'a' })
    for (const [as, shown] of [
      [member, [deleted, open]],
      [owner, [deleted, open]],
      [shy, [deleted, hidden, open]],
      [await makePerson(site, { is_admin: true }), [deleted, hidden, open]],
    ] as const) {
      for (const feed of [`/teams/${team.id}`, `/orgs/${org.name}`, `/repos/${org.name}/${attached.name}`]) {
        const answer = await call(site, 'GET', `${feed}/activities/feeds`, { as })
        expect([ids(answer.body), answer.headers.get('x-total-count')], feed).toEqual([
          shown,
          String(shown.length),
        ])
      }
    }
    const mine = async (as: Person) => (await (await signIn(site, as)).query('activity.listMine', {})).data
    expect(await mine(member)).toMatchObject({ items: [{ id: deleted }, { id: open }], total: 2 })
    expect(await mine(shy)).toMatchObject({
      items: [{ id: deleted }, { id: hidden }, { id: open }],
      total: 3,
    })
  })

  it("contain all events in one's own repositories and organizations, and no others, in activity.listMine", async () => {
    const { owner, org, attached } = await makeScene()
    const other = await makeScene()
    const own = await makeRepository(site.db, owner.account.id)
    const stranger = (await makePerson(site)).account.id
    const first = await happened(site, 'repository.created', {
      id: attached.id,
      owner: org.id,
      actor: stranger,
    })
    const mine = { id: own.id, owner: owner.account.id, actor: stranger }
    const second = await happened(site, 'repository.created', mine)
    await happened(site, 'repository.created', {
      id: other.attached.id,
      owner: other.org.id,
      actor: stranger,
    })
    const answer = await (await signIn(site, owner)).query('activity.listMine', {})
    expect([ids(answer.data.items), answer.data.total]).toEqual([[second, first], 2])
  })

  it('show the ghost user for a deleted account', async () => {
    const { owner, org, attached } = await makeScene()
    await happened(site, 'repository.created', { id: attached.id, owner: org.id, actor: null })
    const answer = await call(site, 'GET', `/orgs/${org.name}/activities/feeds`, { as: owner })
    expect(answer.body).toMatchObject([{ act_user_id: -1, act_user: { login: 'ghost' } }])
  })

  it('show the ghost user for a hidden account, except to people who also work on the repository', async () => {
    const { owner, org } = await makeScene()
    const open = await makeRepository(site.db, org.id)
    const hidden = await makePerson(site, { visibility: 'private' })
    await happened(
      site,
      'git.pushed',
      { id: open.id, owner: org.id, actor: hidden.account.id },
      { before: 'a' },
    )
    const named = async (as?: Person) =>
      (await call(site, 'GET', `/repos/${org.name}/${open.name}/activities/feeds`, as ? { as } : {})).body[0]
        .act_user.login
    expect([await named(), await named(await makePerson(site)), await named(owner)]).toEqual([
      'ghost',
      'ghost',
      hidden.name,
    ])
  })

  it('return 404 if the repository, organization, or user is hidden or does not exist', async () => {
    const { org, attached } = await makeScene()
    for (const feed of [
      `/repos/${org.name}/${attached.name}/activities/feeds`,
      '/orgs/nobody-here/activities/feeds',
      '/users/nobody-here/activities/feeds',
    ]) {
      expect((await call(site, 'GET', feed)).status, feed).toBe(404)
    }
  })
})

describe('activity.getRepositoryHome', () => {
  it('returns the five newest feed entries and whether there are more', async () => {
    const owner = await makePerson(site)
    const { id, name } = await makeRepository(site.db, owner.account.id, { is_empty: false })
    const home = async () =>
      (await new Browser(site).query('activity.getRepositoryHome', { owner: owner.name, repo: name })).data
        .latest
    const tag = (n: number) =>
      happened(
        site,
        'ref.created',
        { id, owner: owner.account.id, actor: owner.account.id },
        { ref: `refs/tags/v${n}`, refType: 'tag', sha: '1'.repeat(40) },
      )
    for (let n = 1; n <= 5; n++) await tag(n)
    const feed = await call(site, 'GET', `/repos/${owner.name}/${name}/activities/feeds`)
    expect(feed.body).toHaveLength(5)
    expect(await home()).toEqual({ items: feed.body, more: false })
    const sixth = await tag(6)
    const { items, more } = await home()
    expect([items.length, items[0].id, more]).toEqual([5, sixth, true])
  })
})
