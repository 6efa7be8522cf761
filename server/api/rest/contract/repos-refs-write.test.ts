import { describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { gitOk } from '@/testing/git'
import { makeCommittedRepository, recordedEvents, refsOf, rowOf } from '@/testing/git-repository'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

/** Creates a repository with the branches main and topic/one, the tag v1, and a commit that no branch has. */
async function makeScene() {
  const [owner, writer, reader] = [await makePerson(site), await makePerson(site), await makePerson(site)]
  const repository = await makeCommittedRepository(site, owner.account, { branch_count: 2, tag_count: 1 })
  const git = (...args: string[]) => gitOk(args, { cwd: repository.directory })
  await git('branch', 'topic/one', 'main')
  await git('tag', 'v1', 'main')
  const author = ['-c', 'user.name=A', '-c', 'user.email=a@x']
  const next = (await git(...author, 'commit-tree', '-p', 'main', '-m', 'Next', 'main^{tree}')).trim()
  const alone = (await git(...author, 'commit-tree', '-m', 'Alone', 'main^{tree}')).trim()
  for (const [person, mode] of [
    [writer, 'write'],
    [reader, 'read'],
  ] as const) {
    const collaborator = { repository_id: repository.id, user_id: person.account.id, mode }
    await site.db.insertInto('repository_collaborators').values(collaborator).execute()
  }
  const send = async (method: string, rest: string, body?: object, as = writer) =>
    await call(site, method, `/repos${repository.path}/${rest}`, { as, ...(body && { body }) })
  const status = async (...args: Parameters<typeof send>) => (await send(...args)).status
  return { owner, writer, reader, repository, git, send, status, next, alone }
}

const kindsOf = async (repository: Parameters<typeof recordedEvents>[1]) =>
  (await recordedEvents(site, repository)).map(({ kind, facts }) => `${kind} ${facts.ref}`).sort()

// A ref that is new is created and pushed.
const made = (...refs: string[]) =>
  ['git.pushed', 'ref.created'].flatMap(kind => refs.map(ref => `${kind} ${ref}`))

describe('POST /repos/{owner}/{repo}/branches', () => {
  it('returns 201 and the branch as it is read afterward, and records it as a push does', async () => {
    const { repository, send } = await makeScene()
    for (const [index, from] of [{}, { old_ref_name: 'v1' }, { old_branch_name: 'topic/one' }].entries()) {
      const created = await send('POST', 'branches', { new_branch_name: `new/${index}`, ...from })
      expect([created.status, created.body]).toEqual([201, (await send('GET', `branches/new/${index}`)).body])
      expect(created.body.commit.id).toBe(repository.commit)
    }
    expect(await kindsOf(repository)).toEqual(made(...[0, 1, 2].map(index => `refs/heads/new/${index}`)))
    expect(await rowOf(site, repository)).toMatchObject({ branch_count: 5 })
  })

  it.each([
    [404, { new_branch_name: 'x', old_ref_name: 'absent' }],
    [404, { new_branch_name: 'x', old_ref_name: 'main^{/x}' }],
    [409, { new_branch_name: 'main' }],
    [409, { new_branch_name: 'v1' }],
    [409, { new_branch_name: 'topic' }],
    [409, { new_branch_name: 'main/one' }],
    [422, { new_branch_name: '-d' }],
    [422, { new_branch_name: 'HEAD' }],
    [422, { new_branch_name: 'refs/heads/x' }],
    [422, { new_branch_name: 'a..b' }],
    [422, { new_branch_name: 'x'.repeat(251) }],
    [422, {}],
  ])('returns %i for %o and creates nothing', async (expected, body) => {
    const { repository, status } = await makeScene()
    const before = await refsOf(repository)
    expect(await status('POST', 'branches', body)).toBe(expected)
    expect(await refsOf(repository)).toEqual(before)
    expect(await kindsOf(repository)).toEqual([])
  })

  it('returns 403 without write access', async () => {
    const { reader, status } = await makeScene()
    expect(await status('POST', 'branches', { new_branch_name: 'x' }, reader)).toBe(403)
  })
})

describe('PATCH /repos/{owner}/{repo}/branches/{branch}', () => {
  it('returns 204, and records a new and a deleted branch', async () => {
    const { repository, status } = await makeScene()
    expect(await status('PATCH', 'branches/topic/one', { name: 'topic-1' })).toBe(204)
    expect(Object.keys(await refsOf(repository)).sort()).toEqual([
      'refs/heads/main',
      'refs/heads/topic-1',
      'refs/tags/v1',
    ])
    expect(await kindsOf(repository)).toEqual([
      ...made('refs/heads/topic-1'),
      'ref.deleted refs/heads/topic/one',
    ])
  })

  it('keeps the default branch, which only administrators can rename', async () => {
    const { owner, repository, git, status } = await makeScene()
    // Without the new name, this branch would be the next default branch.
    await git('branch', 'master', 'main')
    expect(await status('PATCH', 'branches/main', { name: 'trunk' })).toBe(403)
    expect(await status('PATCH', 'branches/main', { name: 'trunk' }, owner)).toBe(204)
    expect(await rowOf(site, repository)).toMatchObject({ default_branch: 'trunk' })
    expect((await git('symbolic-ref', 'HEAD')).trim()).toBe('refs/heads/trunk')
  })

  it.each([
    [404, 'absent', 'x'],
    [422, 'topic/one', 'topic/one'],
    [422, 'topic/one', 'main'],
    [422, 'topic/one', 'a b'],
    [409, 'topic/one', 'main/x'],
  ])('returns %i for %s to %s and changes nothing', async (expected, from, name) => {
    const { repository, status } = await makeScene()
    const before = await refsOf(repository)
    expect(await status('PATCH', `branches/${from}`, { name })).toBe(expected)
    expect(await refsOf(repository)).toEqual(before)
  })
})

describe('PUT /repos/{owner}/{repo}/branches/{branch}', () => {
  it('returns 204 and moves the branch forward, or anywhere if forced', async () => {
    const { repository, status, next, alone } = await makeScene()
    const move = (body: object) => status('PUT', 'branches/topic/one', body)
    expect(await move({ new_commit_id: next, old_commit_id: repository.commit })).toBe(204)
    expect(await move({ new_commit_id: next })).toBe(204)
    expect(await move({ new_commit_id: alone })).toBe(422)
    expect(await move({ new_commit_id: alone, old_commit_id: repository.commit, force: true })).toBe(422)
    expect(await move({ new_commit_id: 'f'.repeat(40) })).toBe(404)
    expect(await move({ new_commit_id: 'main' })).toBe(404)
    expect((await refsOf(repository))['refs/heads/topic/one']).toBe(next)
    expect(await move({ new_commit_id: alone, old_commit_id: next, force: true })).toBe(204)
    expect((await refsOf(repository))['refs/heads/topic/one']).toBe(alone)
    expect(await kindsOf(repository)).toEqual(Array(2).fill('git.pushed refs/heads/topic/one'))
    expect(await status('PUT', 'branches/absent', { new_commit_id: next })).toBe(404)
  })
})

describe('POST /repos/{owner}/{repo}/tags', () => {
  it('returns 201 and the tag as it is read afterward, annotated by the caller if it has a message', async () => {
    const { writer, repository, send, git } = await makeScene()
    const light = await send('POST', 'tags', { tag_name: 'light' })
    expect([light.status, light.body]).toEqual([201, (await send('GET', 'tags/light')).body])
    expect(light.body.id).toBe(repository.commit)
    const annotated = await send('POST', 'tags', { tag_name: 'v2', target: 'topic/one', message: 'Two\n' })
    expect([annotated.status, annotated.body]).toEqual([201, (await send('GET', 'tags/v2')).body])
    expect(annotated.body).toMatchObject({ message: 'Two', commit: { sha: repository.commit } })
    expect(annotated.body.zipball_url).toMatch(/\/archive\/v2\.zip$/)
    expect(await git('cat-file', 'tag', 'v2')).toContain(`tagger ${writer.account.name}`)
    expect(await kindsOf(repository)).toEqual(made('refs/tags/light', 'refs/tags/v2'))
  })

  it.each([
    [404, { tag_name: 'x', target: 'absent' }],
    [404, { tag_name: 'x', target: 'blob' }],
    [409, { tag_name: 'v1' }],
    [409, { tag_name: 'v1/beta' }],
    [422, { tag_name: '-d' }],
    [422, { tag_name: 'a b' }],
    [422, {}],
  ])('returns %i for %o and creates nothing', async (expected, body) => {
    const { repository, status, git } = await makeScene()
    const { target } = body as { target?: string }
    const blob = target === 'blob' ? { target: (await git('hash-object', '-w', '/dev/null')).trim() } : {}
    const before = await refsOf(repository)
    expect(await status('POST', 'tags', { ...body, ...blob })).toBe(expected)
    expect(await refsOf(repository)).toEqual(before)
  })

  it('accepts the name of a branch', async () => {
    const { status } = await makeScene()
    expect(await status('POST', 'tags', { tag_name: 'main' })).toBe(201)
  })
})

describe('an empty repository', () => {
  it('returns 404 for new branches and tags', async () => {
    const owner = await makePerson(site)
    const { body } = await call(site, 'POST', '/user/repos', { as: owner, body: { name: 'empty' } })
    const at = `/repos/${body.full_name}`
    const post = async (rest: string, sent: object) =>
      (await call(site, 'POST', `${at}/${rest}`, { as: owner, body: sent })).status
    expect([await post('branches', { new_branch_name: 'x' }), await post('tags', { tag_name: 'x' })]).toEqual(
      [404, 404],
    )
  })
})

it('GET /repos/{owner}/{repo}/branches?q= returns the branches whose name contains a text', async () => {
  const { send } = await makeScene()
  const { body } = await send('GET', 'branches?q=ONE')
  expect(body.map(({ name }: { name: string }) => name)).toEqual(['topic/one'])
})
