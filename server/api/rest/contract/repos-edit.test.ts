// @module-tag embedded
import { availableParallelism } from 'node:os'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { addToTeam, attach, makeOrg, makeRepository, makeTeam } from '@/db/testing/factories'
import type { UserCaller } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { runGit } from '@/server/kernel/git/run'
import { withGitSlot } from '@/server/kernel/git/slots'
import { saveRepository } from '@/server/repos/edit'
import { loadRepository } from '@/server/repos/load'
import { administration } from '@/server/repos/policy'
import { repositoryPath } from '@/server/repos/storage'
import { jobContext } from '@/server/services'
import { signIn } from '@/testing/browser'
import { type Answer, call } from '@/testing/call'
import { makePerson, makeToken, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const outcome = ({ status, body }: Answer) => [status, body?.message]

async function makeOwned() {
  const owner = await makePerson(site)
  const repository = await makeRepository(site.db, owner.account.id)
  const path = `/repos/${owner.name}/${repository.name}`
  const edit = (body: unknown, as: Person | undefined = owner) => call(site, 'PATCH', path, { as, body })
  return { owner, repository, path, edit }
}

/** Creates a repository with a commit on `main` and a second branch. */
async function makeWithBranches() {
  const owner = await makePerson(site)
  const { body } = await call(site, 'POST', '/user/repos', {
    as: owner,
    body: { name: 'branched', auto_init: true },
  })
  const { storage_key } = await site.db
    .selectFrom('repositories')
    .select('storage_key')
    .where('id', '=', body.id)
    .executeTakeFirstOrThrow()
  const repository = repositoryPath(site.services.config, storage_key)
  await runGit(['branch', 'release/2.0', 'main'], { repository })
  const head = async () => (await runGit(['symbolic-ref', 'HEAD'], { repository })).trim()
  const edit = (change: unknown) =>
    call(site, 'PATCH', `/repos/${owner.name}/branched`, { as: owner, body: change })
  return { owner, edit, head, id: body.id }
}

describe('PATCH /repos/{owner}/{repo}', () => {
  it('returns 200 and changes only the fields in the request', async () => {
    const { edit } = await makeOwned()
    const before = (await edit({})).body
    const changes = [
      { description: 'An engine' },
      { website: 'https://example.org/' },
      { private: true },
      { template: true },
      { has_releases: false },
      { has_actions: false, projects_mode: 'repo', allow_rebase: false, default_merge_style: 'squash' },
      { description: '', website: '' },
      { has_releases: true },
    ]
    let expected = before
    for (const change of changes) {
      const { status, body } = await edit(change)
      expect([status, body]).toEqual([200, { ...expected, ...change, updated_at: body.updated_at }])
      expected = body
    }
  })

  it('returns 200 and stores every switch', async () => {
    const { edit, path, owner } = await makeOwned()
    const switches = {
      projects_mode: 'owner',
      has_releases: false,
      has_actions: false,
      ignore_whitespace_conflicts: true,
      allow_merge_commits: false,
      allow_rebase: false,
      allow_rebase_explicit: false,
      allow_squash_merge: false,
      allow_fast_forward_only_merge: false,
      allow_merge_update: false,
      allow_rebase_update: false,
      allow_manual_merge: true,
      autodetect_manual_merge: true,
      default_delete_branch_after_merge: true,
      default_merge_style: 'fast-forward-only',
      default_update_style: 'rebase',
      default_allow_maintainer_edit: true,
    }
    await edit(switches)
    const { body } = await call(site, 'GET', path, { as: owner })
    expect(body).toMatchObject(switches)
  })

  it('returns 200 and never enables features that repositories do not have, even if stored as enabled', async () => {
    const { edit, path, owner } = await makeOwned()
    const parts = ['has_issues', 'has_wiki', 'has_pull_requests', 'has_projects', 'has_packages']
    const all = (value: boolean) => Object.fromEntries(parts.map(name => [name, value]))
    const before = (await edit({})).body
    const expected = { ...before, ...all(false) }
    for (const value of [true, false]) {
      const { status, body } = await edit(all(value))
      expect([status, body]).toEqual([200, expected])
    }
    expect((await edit({ has_wiki: 'yes' })).status).toBe(422)
    const older = { settings: JSON.stringify(all(true)) }
    await site.db.updateTable('repositories').set(older).where('id', '=', before.id).execute()
    expect((await call(site, 'GET', path, { as: owner })).body).toMatchObject(all(false))
    const body = { name: 'new', ...all(true) }
    const created = await call(site, 'POST', '/user/repos', { as: owner, body })
    expect([created.status, created.body]).toEqual([201, expect.objectContaining(all(false))])
    for (const { body } of [created, await call(site, 'GET', path, { as: owner })])
      expect(body).not.toHaveProperty('internal_tracker')
  })

  it('returns 200 and stores when a repository was first archived', async () => {
    const { edit } = await makeOwned()
    site.now.set(new Date('2026-08-01T10:00:00Z'))
    const first = (await edit({ archived: true })).body
    site.now.set(new Date('2026-08-02T10:00:00Z'))
    const again = (await edit({ archived: true })).body
    site.now.set(undefined)
    for (const body of [first, again]) {
      expect(body).toMatchObject({ archived: true, archived_at: '2026-08-01T10:00:00Z' })
    }
    expect((await edit({ archived: false })).body).toMatchObject({
      archived: false,
      archived_at: '1970-01-01T00:00:00Z',
    })
  })

  it('returns 200 and sets the default branch in Git, too', async () => {
    const { edit, head } = await makeWithBranches()
    expect(await head()).toBe('refs/heads/main')
    expect((await edit({ default_branch: 'release/2.0' })).body.default_branch).toBe('release/2.0')
    expect(await head()).toBe('refs/heads/release/2.0')
  })

  it('returns 500 and does not set a default branch in Git that cannot be stored', async () => {
    const { edit, head } = await makeWithBranches()
    await sql`create function refuse_release() returns trigger language plpgsql
      as $$ begin raise exception 'meant to'; end $$`.execute(site.db)
    await sql`create constraint trigger refuse_release after update on repositories deferrable initially deferred
      for each row when (new.default_branch = 'release/2.0') execute function refuse_release()`.execute(
      site.db,
    )
    const answer = await edit({ default_branch: 'release/2.0' })
    await sql`drop function refuse_release cascade`.execute(site.db)
    expect([answer.status, await head()]).toEqual([500, 'refs/heads/main'])
  })

  it('returns 200 for any default branch of an empty repository', async () => {
    const owner = await makePerson(site)
    await call(site, 'POST', '/user/repos', { as: owner, body: { name: 'bare' } })
    const path = `/repos/${owner.name}/bare`
    const answer = await call(site, 'PATCH', path, { as: owner, body: { default_branch: 'trunk' } })
    expect([answer.status, answer.body.default_branch]).toEqual([200, 'trunk'])
  })

  it('returns 200 and records the changed fields in an event, only if there are any', async () => {
    const { edit, repository } = await makeOwned()
    await edit({ description: repository.description, private: false, archived: false, has_wiki: true })
    await edit({ description: 'new', has_releases: false })
    const events = await site.db
      .selectFrom('events')
      .select(['kind', 'data'])
      .where('repository_id', '=', repository.id)
      .execute()
    const facts = {
      repositoryId: repository.id,
      name: repository.name,
      formerName: repository.name,
      changed: 'description settings',
    }
    expect(events).toEqual([{ kind: 'repository.edited', data: facts }])
  })

  it('returns 200, hides a repository made private from others, and updates the public count', async () => {
    const { edit, owner, path } = await makeOwned()
    const counts = async () =>
      await site.db
        .selectFrom('users')
        .select(['repository_count', 'public_repository_count'])
        .where('id', '=', owner.account.id)
        .executeTakeFirst()
    expect(await counts()).toEqual({ repository_count: 1, public_repository_count: 1 })
    await edit({ private: true })
    expect(await counts()).toEqual({ repository_count: 1, public_repository_count: 0 })
    expect((await call(site, 'GET', path)).status).toBe(404)
  })

  it('returns 200 to all administrators of the repository, 403 to others, and 404 to those who cannot see it', async () => {
    const [owner, manager, writer, collaborator, outsider, root] = [
      await makePerson(site),
      await makePerson(site),
      await makePerson(site),
      await makePerson(site),
      await makePerson(site),
      await makePerson(site, { is_admin: true }),
    ]
    const org = await makeOrg(site.db, owner.account.id)
    const repository = await makeRepository(site.db, org.id)
    const managing = await makeTeam(site.db, org.id, { mode: 'admin' })
    const writing = await makeTeam(site.db, org.id, { mode: 'write' }, { 'repo.code': 'write' })
    for (const [team, person] of [
      [managing, manager],
      [writing, writer],
    ] as const) {
      await addToTeam(site.db, team, person.account.id)
      await attach(site.db, team, repository.id)
    }
    await site.db
      .insertInto('repository_collaborators')
      .values({ repository_id: repository.id, user_id: collaborator.account.id, mode: 'admin' })
      .execute()
    const path = `/repos/${org.name}/${repository.name}`
    const edit = (as: Person, description: string) => call(site, 'PATCH', path, { as, body: { description } })
    for (const as of [owner, manager, collaborator, root]) {
      expect((await edit(as, as.name)).body.description).toBe(as.name)
    }
    for (const as of [writer, outsider]) {
      expect(outcome(await edit(as, 'mine'))).toEqual([
        403,
        'user should be an owner or a collaborator with admin write of a repository',
      ])
    }
    await edit(owner, 'before it was private')
    await call(site, 'PATCH', path, { as: owner, body: { private: true } })
    expect(outcome(await edit(outsider, 'mine'))).toEqual([404, 'not found'])
  })

  it('returns 401 without credentials', async () => {
    const { path } = await makeOwned()
    expect(outcome(await call(site, 'PATCH', path, { body: {} }))).toEqual([401, 'token is required'])
  })

  it('returns 403 for making a repository private with a token limited to public data', async () => {
    const { owner, path } = await makeOwned()
    const token = await makeToken(site, owner.account.id, ['public-only', 'all'])
    const answer = await call(site, 'PATCH', path, { as: { token }, body: { private: true } })
    expect(outcome(answer)).toEqual([403, 'token scope is limited to public repos'])
  })

  it.each([
    ['an invalid website', { website: 'javascript:alert(1)' }, /^\[Website\]: Enter a URL/],
    ['a string for a switch', { has_wiki: 'no' }, /^\[\]: has_wiki: expected boolean/],
    ['has_code set to false', { has_code: false }, /^\[HasCode\]: Use true; this cannot be turned off\./],
    ['an unknown style', { default_merge_style: 'octopus' }, /^\[DefaultMergeStyle\]: In: Choose merge/],
    ['a long description', { description: 'x'.repeat(2049) }, /^\[Description\]: MaxSize: /],
    [
      'a default branch that git does not allow',
      { default_branch: 'a..b' },
      /^\[DefaultBranch\]: GitRefName: /,
    ],
  ])('returns 422 for %s', async (_, body, message) => {
    const { edit } = await makeOwned()
    const answer = await edit(body)
    expect([answer.status, answer.body.message]).toEqual([422, expect.stringMatching(message)])
  })

  it('returns 422 for a default branch that does not exist, and changes nothing', async () => {
    const { edit, head } = await makeWithBranches()
    const refused = await edit({ default_branch: 'release', description: 'x' })
    expect(outcome(refused)).toEqual([422, 'branch does not exist [name: release]: push it first'])
    expect((await edit({})).body).toMatchObject({ default_branch: 'main', description: '' })
    expect(await head()).toBe('refs/heads/main')
  })

  it('returns 422 for a full ref as default branch, even in an empty repository', async () => {
    const { edit } = await makeWithBranches()
    const owner = await makePerson(site)
    await call(site, 'POST', '/user/repos', { as: owner, body: { name: 'bare' } })
    const body = { default_branch: 'refs/heads/main' }
    for (const { status } of [
      await edit(body),
      await call(site, 'PATCH', `/repos/${owner.name}/bare`, { as: owner, body }),
    ]) {
      expect(status).toBe(422)
    }
  })

  it('returns 200 for the unchanged default branch, even if it does not exist', async () => {
    const { edit, id } = await makeWithBranches()
    await site.db
      .updateTable('repositories')
      .set({ default_branch: 'refs/heads/old' })
      .where('id', '=', id)
      .execute()
    const { status, body } = await edit({ default_branch: 'refs/heads/old', description: 'x' })
    expect([status, body.default_branch, body.description]).toEqual([200, 'refs/heads/old', 'x'])
  })

  it('rejects a nonexistent default branch on the pages, too, and changes nothing', async () => {
    const { owner, edit } = await makeWithBranches()
    const browser = await signIn(site, owner)
    const change = {
      owner: owner.name,
      repo: 'branched',
      changes: { default_branch: 'release', description: 'x' },
      expected: { default_branch: 'main', description: '' },
    }
    const { status, error } = await browser.mutate('repos.save', change)
    expect([status, error?.data.field]).toEqual([422, 'default_branch'])
    expect(error?.message).toBe('branch does not exist [name: release]: push it first')
    expect((await edit({})).body.description).toBe('')
  })

  it('rejects a nonexistent default branch in forms, too, regardless of the credential', async () => {
    const { owner } = await makeWithBranches()
    const path = { owner: owner.name, repo: 'branched' }
    const ctx: UserCtx = {
      ...jobContext(site.services, 'test'),
      caller: { kind: 'user', user: owner.account, credential: { kind: 'password' } },
    }
    const form = { ...path, changes: { default_branch: 'release' }, expected: { default_branch: 'main' } }
    const saved = saveRepository(ctx, await loadRepository(ctx, path, administration), form)
    await expect(saved).rejects.toMatchObject({ kind: 'unprocessable', field: 'default_branch' })
  })

  it('does not delay other requests while it waits for Git', async () => {
    const { edit, owner } = await makeWithBranches()
    const other = await makePerson(site)
    const ends: (() => void)[] = []
    const somebody = { caller: { kind: 'user' } as UserCaller, remoteAddress: '' }
    const busy = Array.from({ length: 2 * availableParallelism() }, () =>
      withGitSlot(somebody, () => new Promise<void>(resolve => ends.push(resolve))),
    )
    const waiting = edit({ default_branch: 'release/2.0' })
    for (let time = 0; time < 5; time++) {
      expect((await call(site, 'GET', `/users/${owner.name}`, { as: other })).status).toBe(200)
    }
    for (const end of ends) end()
    await Promise.all(busy)
    expect((await waiting).body.default_branch).toBe('release/2.0')
  })

  it('keeps HEAD equal to the default branch after concurrent changes', async () => {
    const { edit, head } = await makeWithBranches()
    const names = Array.from({ length: 10 }, (_, index) => (index % 2 ? 'main' : 'release/2.0'))
    const answers = await Promise.all(names.map(name => edit({ default_branch: name })))
    expect(answers.map(answer => answer.status)).toEqual(names.map(() => 200))
    expect(await head()).toBe(`refs/heads/${(await edit({})).body.default_branch}`)
  })
})
