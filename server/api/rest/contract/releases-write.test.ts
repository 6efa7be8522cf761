import { beforeAll, describe, expect, it } from 'vitest'
import { makeRelease, makeUser } from '@/db/testing/factories'
import { type Answer, call } from '@/testing/call'
import { gitOk } from '@/testing/git'
import { type GitRepository, makeCommittedRepository, refsOf, rowOf } from '@/testing/git-repository'
import { makePerson, makeToken, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
let owner: Person
let repository: GitRepository & { commit: string }
let later: string
let git: (...args: string[]) => Promise<string>

beforeAll(async () => {
  owner = await makePerson(site, { full_name: 'Ada Byron' })
  repository = await makeCommittedRepository(site, owner.account)
  const cwd = repository.directory
  git = (...args) => gitOk(args, { cwd })
  const tree = await git('rev-parse', 'main^{tree}')
  later = await git('commit-tree', tree, '-p', repository.commit, '-m', 'Second')
  await git('update-ref', 'refs/heads/feature/x', later)
})

const at = (rest = ''): string => `/repos${repository.path}/releases${rest}`
const create = (body: object, as: Person = owner): Promise<Answer> => call(site, 'POST', at(), { as, body })
const edit = (id: number, body: object): Promise<Answer> =>
  call(site, 'PATCH', at(`/${id}`), { as: owner, body })
const tags = async (): Promise<Record<string, string>> => {
  const refs = Object.entries(await refsOf(repository))
  return Object.fromEntries(refs.filter(([ref]) => ref.startsWith('refs/tags/')))
}
const refusal = ({ status, body }: Answer): unknown[] => [status, body.message]

describe('POST /repos/{owner}/{repo}/releases', () => {
  it('returns 201 for only a tag name, and creates a lightweight tag from the default branch', async () => {
    const { status, body } = await create({ tag_name: 'v1.0' })
    expect([status, body]).toMatchObject([
      201,
      {
        tag_name: 'v1.0',
        target_commitish: 'main',
        name: '',
        body: '',
        draft: false,
        prerelease: false,
        author: { login: owner.name },
        assets: [],
      },
    ])
    expect((await tags())['refs/tags/v1.0']).toBe(repository.commit)
    expect(await rowOf(site, repository)).toMatchObject({ tag_count: 1, release_count: 1 })
    expect((await call(site, 'GET', at(`/${body.id}`))).body).toEqual(body)
  })

  it('returns 201, stores all fields, and creates an annotated tag from the message', async () => {
    const { status, body } = await create({
      tag_name: 'team/v1.1',
      tag_message: 'All is told\n',
      target_commitish: 'feature/x',
      name: 'Second',
      body: '## Notes\n\n\u0000\u001b[1m"quoted"',
      prerelease: true,
    })
    expect([status, body]).toMatchObject([
      201,
      {
        target_commitish: 'feature/x',
        name: 'Second',
        body: '## Notes\n\n\u001b[1m"quoted"',
        prerelease: true,
      },
    ])
    expect(await git('rev-parse', 'team/v1.1^{commit}')).toBe(later)
    const lines = (await git('cat-file', 'tag', 'team/v1.1')).split('\n')
    expect(lines).toEqual([
      `object ${later}`,
      'type commit',
      'tag team/v1.1',
      expect.stringMatching(/^tagger Ada Byron <.+@.+> \d+ \+0000$/),
      '',
      'All is told',
    ])
    expect(await git('fsck', '--strict')).toBe('')
  })

  it.each([
    ['a full commit id', () => later],
    ['an abbreviated commit id', () => later.slice(0, 10)],
    ['another tag', () => 'team/v1.1'],
    ['a full ref name', () => 'refs/heads/feature/x'],
  ])('returns 201 and creates the tag from %s', async (what, target) => {
    const tag = `of-${what.replaceAll(' ', '-')}`
    expect((await create({ tag_name: tag, target_commitish: target() })).status).toBe(201)
    expect((await tags())[`refs/tags/${tag}`]).toBe(later)
  })

  it('returns 201 and keeps an existing tag where it is, regardless of the target', async () => {
    await git('tag', 'there', later)
    const { status } = await create({ tag_name: 'there', target_commitish: 'nowhere', tag_message: 'x' })
    expect([status, (await tags())['refs/tags/there']]).toEqual([201, later])
  })

  it('returns 201 for a draft without creating its tag, which is created on publication, with its message', async () => {
    const { status, body } = await create({ tag_name: 'next', draft: true, tag_message: 'At last' })
    expect([status, body.draft]).toEqual([201, true])
    expect(await tags()).not.toHaveProperty('refs/tags/next')
    const published = await edit(body.id, { draft: false })
    expect([published.status, published.body.draft]).toEqual([200, false])
    expect(await git('for-each-ref', '--format=%(contents:subject)', 'refs/tags/next')).toBe('At last')
  })

  it('returns 201, puts the title on one line, and truncates it to 255 characters', async () => {
    const { body } = await create({ tag_name: 'long', name: `a\nb ${'😀'.repeat(300)}` })
    expect([...body.name].length).toBe(255)
    expect(body.name).toMatch(/^a b .*…$/u)
  })

  it('returns 409 if the tag has a release or draft, ignoring case', async () => {
    await create({ tag_name: 'Taken', draft: true })
    for (const tag_name of ['Taken', 'taken']) {
      expect(refusal(await create({ tag_name }))).toEqual([409, 'Release is has no Tag'])
    }
    expect(await tags()).not.toHaveProperty('refs/tags/taken')
  })

  it('returns 409 to all but one of many concurrent requests, and the tag belongs to the release created', async () => {
    const bodies = Array.from({ length: 8 }, (_, index) => ({
      tag_name: 'race',
      name: String(index),
      target_commitish: index % 2 ? 'main' : 'feature/x',
    }))
    const answers = await Promise.all(bodies.map(body => create(body)))
    const won = answers.filter(({ status }) => status === 201)
    expect([won.length, answers.filter(({ status }) => status === 409).length]).toEqual([1, 7])
    const target = won[0]?.body.target_commitish
    expect((await tags())['refs/tags/race']).toBe(target === 'main' ? repository.commit : later)
  })

  it('returns 404 if the target does not exist', async () => {
    for (const target_commitish of [
      'nowhere',
      '0123456',
      'HEAD',
      'main..feature/x',
      '--help',
      'main^{tree}',
    ]) {
      const answer = await create({ tag_name: 'lost', target_commitish })
      expect(refusal(answer)).toEqual([404, 'target not found'])
    }
  })

  it.each([
    'refs/heads/main',
    'refs/pull/1/head',
    'refs/tags/v9',
    'a b',
    '-x',
    'a..b',
    'x.lock',
    'a~1',
    '/',
    'ü'.repeat(126),
  ])('returns 422 if the tag name is %s', async tag_name => {
    const { status, body } = await create({ tag_name })
    expect([status, body.message]).toEqual([422, expect.stringContaining('[TagName]: GitRefName')])
  })

  it('returns 422 if one tag would be a directory of another', async () => {
    for (const tag_name of ['v1.0/x', 'team']) {
      const { status, body } = await create({ tag_name })
      expect([status, body.message]).toEqual([422, expect.stringContaining('[TagName]: GitRefName')])
    }
  })

  it.each([{}, { tag_name: '' }])('returns 422 if %j has no tag name', async body => {
    expect(refusal(await create(body))).toEqual([422, '[TagName]: Required'])
  })

  it('returns 413 if the body exceeds 1 MiB', async () => {
    expect((await create({ tag_name: 'large', body: 'x'.repeat(1024 * 1024) })).status).toBe(413)
    const most = await create({ tag_name: 'large', body: 'x'.repeat(1024 * 1024 - 100) })
    expect(most.status).toBe(201)
  })

  it('returns 422 if the repository is empty', async () => {
    await call(site, 'POST', '/user/repos', { as: owner, body: { name: 'bare' } })
    const path = `/repos/${owner.name}/bare/releases`
    const answer = await call(site, 'POST', path, { as: owner, body: { tag_name: 'v1', draft: true } })
    expect(refusal(answer)).toEqual([422, 'repo is empty'])
  })

  it('returns 401 or 403 without credentials, without permission, or with a read-only token', async () => {
    const body = { tag_name: 'not-mine' }
    const reading = { token: await makeToken(site, owner.account.id, ['read:repository']) }
    expect((await call(site, 'POST', at(), { body })).status).toBe(401)
    expect(refusal(await create(body, await makePerson(site)))).toEqual([
      403,
      'user should have a permission to write to a repo',
    ])
    expect((await call(site, 'POST', at(), { as: reading, body })).status).toBe(403)
  })
})

describe('PATCH /repos/{owner}/{repo}/releases/{id}', () => {
  it('returns 200 and ignores empty, null, and absent fields', async () => {
    const { body: made } = await create({ tag_name: 'kept', name: 'Kept', body: 'Notes', prerelease: true })
    const nothing = { tag_name: '', target_commitish: '', name: '', body: '', draft: null, prerelease: null }
    for (const body of [nothing, {}]) {
      const answer = await edit(made.id, body)
      expect([answer.status, answer.body]).toEqual([200, made])
    }
  })

  it('returns 200 and changes the texts of a release but not its target', async () => {
    const { body: made } = await create({ tag_name: 'changed', name: 'Old' })
    const change = { name: 'New', body: 'More', prerelease: true }
    const answer = await edit(made.id, { ...change, target_commitish: 'feature/x' })
    expect([answer.status, answer.body]).toEqual([200, { ...made, ...change }])
    expect((await tags())['refs/tags/changed']).toBe(repository.commit)
  })

  it('returns 200, sets the publisher and time of a published draft, and creates its tag from the current target', async () => {
    const { id: publisher_id } = await makeUser(site.db)
    const { id } = await makeRelease(site.db, repository.id, {
      tag_name: 'old-draft',
      is_draft: true,
      publisher_id,
      created_at: new Date('2020-01-01T00:00:00Z'),
    })
    const { body } = await edit(id, { draft: false, target_commitish: 'feature/x' })
    expect(body).toMatchObject({ draft: false, target_commitish: 'feature/x', author: { login: owner.name } })
    expect(Date.now() - Date.parse(body.published_at)).toBeLessThan(60_000)
    expect((await tags())['refs/tags/old-draft']).toBe(later)
  })

  it('returns 200 and creates the new tag while keeping the former one in Git', async () => {
    const { body: made } = await create({ tag_name: 'was' })
    const answer = await edit(made.id, { tag_name: 'is' })
    expect([answer.status, answer.body.tag_name]).toEqual([200, 'is'])
    expect(await tags()).toMatchObject({
      'refs/tags/was': repository.commit,
      'refs/tags/is': repository.commit,
    })
  })

  it('returns 200 for turning a release back into a draft, which is no longer counted', async () => {
    const { release_count: before } = await rowOf(site, repository)
    const { body: made } = await create({ tag_name: 'too-soon' })
    const answer = await edit(made.id, { draft: true })
    expect([answer.status, answer.body.draft]).toEqual([200, true])
    expect((await rowOf(site, repository)).release_count).toBe(before)
    expect((await call(site, 'GET', at(`/${made.id}`))).status).toBe(404)
  })

  it('returns 404 if the target does not exist, and changes nothing', async () => {
    const { body: made } = await create({ tag_name: 'stuck', draft: true, target_commitish: 'nowhere' })
    const change = { name: 'New', draft: false }
    expect(refusal(await edit(made.id, change))).toEqual([404, 'target not found'])
    const { body } = await call(site, 'GET', at(`/${made.id}`), { as: owner })
    expect(body).toEqual(made)
  })

  it('returns 409 if another release has the tag', async () => {
    const { body: made } = await create({ tag_name: 'mine', draft: true })
    await create({ tag_name: 'theirs', draft: true })
    expect(refusal(await edit(made.id, { tag_name: 'Theirs' }))).toEqual([409, 'Release is has no Tag'])
    expect(refusal(await edit(made.id, { tag_name: 'theirs', draft: false }))).toEqual([
      409,
      'Release is has no Tag',
    ])
  })

  it('returns 422 if the tag name is invalid', async () => {
    const { body: made } = await create({ tag_name: 'fine', draft: true })
    expect((await edit(made.id, { tag_name: 'not fine' })).status).toBe(422)
  })
})

describe('deleting a release', () => {
  it('returns 204 by ID or by tag, ignoring case, and keeps the tag', async () => {
    const { body: first } = await create({ tag_name: 'gone/1' })
    const { body: second } = await create({ tag_name: 'gone/2' })
    const remove = (rest: string) => call(site, 'DELETE', at(rest), { as: owner })
    expect((await remove(`/${first.id}`)).status).toBe(204)
    expect((await remove('/tags/GONE/2')).status).toBe(204)
    for (const id of [first.id, second.id]) expect((await remove(`/${id}`)).status).toBe(404)
    expect((await remove('/tags/gone/2')).status).toBe(404)
    expect(await tags()).toMatchObject({
      'refs/tags/gone/1': repository.commit,
      'refs/tags/gone/2': repository.commit,
    })
  })
})

describe('an archived repository', () => {
  it('returns 403 for changes to its releases', async () => {
    const archived = await makeCommittedRepository(site, owner.account, { archived_at: new Date() })
    const { id } = await makeRelease(site.db, archived.id, { tag_name: 'v1' })
    const path = `/repos${archived.path}/releases`
    const calls = [
      ['POST', path, { tag_name: 'v2' }],
      ['PATCH', `${path}/${id}`, { name: 'x' }],
      ['DELETE', `${path}/${id}`, undefined],
      ['DELETE', `${path}/tags/v1`, undefined],
    ] as const
    for (const [method, to, body] of calls) {
      const answer = await call(site, method, to, { as: owner, body })
      expect(refusal(answer)).toEqual([403, expect.stringContaining('is archived')])
    }
  })
})
