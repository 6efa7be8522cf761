// @module-tag embedded
import { beforeAll, describe, expect, it } from 'vitest'
import { makeRepository } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { type CodeRepository, makeCode } from '@/testing/code'
import { gitOk } from '@/testing/git'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
let ada: Person
let hidden: Person
let code: CodeRepository
let api: string
const ids: Record<string, string> = {}
const get = (rest: string, as: Person | undefined = ada) => call(site, 'GET', `${code.path}/${rest}`, { as })
const shas = async (rest: string): Promise<string[]> =>
  (await get(`commits${rest}`)).body.map(({ sha }: { sha: string }) => sha)

beforeAll(async () => {
  ada = await makePerson(site)
  hidden = await makePerson(site, { hide_email: true })
  code = await makeCode(site, ada, { 'a.txt': 'one\ntwo\n', 'b.txt': 'b\n' })
  ids.first = await code.git('rev-parse', 'main')
  const by = (email: string, seconds: number) => ({
    author: `Somebody <${email}>`,
    date: `${1_790_000_000 + seconds} +0000`,
  })
  ids.second = await code.commit({ 'a.txt': 'one\n2\n', 'c.txt': 'c\n' }, by(ada.account.email, 60))
  ids.third = await code.commit({ 'docs/d.txt': 'd\n' }, by(hidden.account.email, 120))
  await code.git('branch', 'side', ids.second)
  ids.side = await code.commit({ 'side.txt': 's\n' }, { branch: 'side', ...by('x@example.test', 180) })
  await code.git('tag', 'v1', ids.second)
  api = `${site.services.config.baseUrl}/api/v1/repos/${ada.name}/${code.name}`
})

const mktree = async ({ directory }: CodeRepository, input: string): Promise<string> =>
  await gitOk(['--git-dir', directory, 'mktree'], { input })

describe('GET /repos/{owner}/{repo}/commits', () => {
  it('returns 200 and a page, newest first, with the numbers of the page in headers', async () => {
    const { headers, body } = await get('commits?limit=2')
    expect(body.map(({ sha }: { sha: string }) => sha)).toEqual([ids.third, ids.second])
    const named = (name: string) => headers.get(name)
    expect(
      ['x-total-count', 'x-page', 'x-perpage', 'x-total', 'x-pagecount', 'x-hasmore'].map(named),
    ).toEqual(['3', '1', '2', '3', '2', 'true'])
    expect(named('link')).toContain('page=2')
    expect(await shas('?limit=2&page=2')).toEqual([ids.first])
    expect(await shas('?page=9')).toEqual([])
  })

  it('returns 200 and every field of a commit', async () => {
    const [, second] = (await get('commits')).body
    const tree = await code.git('rev-parse', `${ids.second}^{tree}`)
    const created = '2026-09-21T14:14:20Z'
    const person = { name: 'Somebody', email: ada.account.email, date: created }
    expect(second).toMatchObject({
      url: `${api}/git/commits/${ids.second}`,
      sha: ids.second,
      created,
      html_url: `${site.services.config.baseUrl}/${ada.name}/${code.name}/commit/${ids.second}`,
      commit: {
        url: `${api}/git/commits/${ids.second}`,
        author: person,
        committer: person,
        message: 'Change files\n',
        tree: { url: `${api}/git/trees/${tree}`, sha: tree, created },
        verification: { verified: false, reason: 'gpg.error.not_signed_commit', signature: '', payload: '' },
      },
      author: { login: ada.name },
      parents: [{ url: `${api}/git/commits/${ids.first}`, sha: ids.first, created: '0001-01-01T00:00:00Z' }],
      files: [
        { filename: 'a.txt', status: 'modified' },
        { filename: 'c.txt', status: 'added' },
      ],
      stats: { total: 3, additions: 2, deletions: 1 },
    })
  })

  it('names the account of an email address only if the account shows it', async () => {
    const [third] = (await get('commits')).body
    expect([third.author, third.commit.author.email]).toEqual([null, hidden.account.email])
  })

  it('leaves out what the request does not want, and filters by revision, path, time, and reachability', async () => {
    const [one] = (await get('commits?stat=false&verification=false&files=false')).body
    expect([one.stats, one.files, one.commit.verification]).toEqual([null, null, null])
    expect(await shas('?sha=side')).toEqual([ids.side, ids.second, ids.first])
    expect(await shas('?sha=v1')).toEqual([ids.second, ids.first])
    expect(await shas(`?sha=${ids.first?.slice(0, 8)}`)).toEqual([ids.first])
    expect(await shas('?sha=refs/heads/side&not=main')).toEqual([ids.side])
    expect(await shas('?path=a.txt')).toEqual([ids.second, ids.first])
    expect(await shas('?path=docs')).toEqual([ids.third])
    expect(await shas('?path=a.txt&limit=1&page=2')).toEqual([ids.first])
    expect(await shas('?since=2026-09-21T14:14:20Z')).toEqual([ids.third, ids.second])
    expect(await shas('?until=2026-09-21T14:14:20Z')).toEqual([ids.second, ids.first])
  })

  it('returns 409 for an empty repository, 404 for what is unknown, and 422 for a wrong time', async () => {
    const empty = await makeRepository(site.db, ada.account.id)
    const answer = await call(site, 'GET', `/repos/${ada.name}/${empty.name}/commits`, { as: ada })
    expect([answer.status, answer.body.message]).toEqual([409, 'Git Repository is empty.'])
    for (const rest of ['?sha=nope', '?not=nope', '?path=nope', '?sha=--all'])
      expect([rest, (await get(`commits${rest}`)).status]).toEqual([rest, 404])
    expect((await get('commits?since=yesterday')).status).toBe(422)
    expect((await get('commits?path=..%2Fx')).status).toBe(400)
  })

  it('lists at most 50 commits, whatever the limit, and a rename as one removed and one added file', async () => {
    expect((await get('commits?limit=1000')).headers.get('x-perpage')).toBe('50')
    const other = await makeCode(site, ada, { 'old.txt': 'same\n' })
    const blob = await other.git('rev-parse', 'main:old.txt')
    const renamed = await mktree(other, `100644 blob ${blob}\tnew.txt\n`)
    const id = await other.git('commit-tree', '-p', 'main', '-m', 'Rename', renamed)
    const { body } = await call(site, 'GET', `${other.path}/git/commits/${id}`, { as: ada })
    expect(body.files).toEqual([
      { filename: 'old.txt', status: 'removed' },
      { filename: 'new.txt', status: 'added' },
    ])
  })

  it.each([
    ['stat=false', [null, 'files', 'verification']],
    ['files=false', ['stats', null, 'verification']],
    ['verification=false', ['stats', 'files', null]],
    ['stat=0&files=no&verification=F', [null, null, null]],
    ['stat=true&files=1&verification=', ['stats', 'files', 'verification']],
  ])('contains the parts that ?%s asks for', async (query, parts) => {
    for (const path of [`commits?limit=1&${query}`, `git/commits/${ids.second}?${query}`]) {
      const { body } = await get(path)
      const { stats, files, commit } = Array.isArray(body) ? body[0] : body
      const shown = [stats && 'stats', files && 'files', commit.verification && 'verification']
      expect([path, shown]).toEqual([path, parts])
    }
  })

  it('treats a name that looks like a pattern or an option as a name', async () => {
    await code.commit({ ':(glob)x*': 'odd\n', '-d': 'odd\n' }, { branch: 'main', message: 'Odd\n' })
    expect(await shas(`?path=${encodeURIComponent(':(glob)x*')}`)).toHaveLength(1)
    expect(await shas('?path=-d')).toHaveLength(1)
  })
})

describe('GET /repos/{owner}/{repo}/git/commits/{sha}', () => {
  it('returns 200 by ID, branch, and tag, 404 for an unknown one, and 422 for a revision expression', async () => {
    for (const name of [ids.second, ids.second?.slice(0, 7), 'v1', 'refs/tags/v1'])
      expect([name, (await get(`git/commits/${name}`)).body.sha]).toEqual([name, ids.second])
    expect((await get('git/commits/side?stat=false')).body).toMatchObject({ sha: ids.side, stats: null })
    for (const name of ['nope', '0'.repeat(40)])
      expect([name, (await get(`git/commits/${name}`)).status]).toEqual([name, 404])
    for (const name of ['main~1', 'main^', 'a:b', 'a..b', 'a%20b'])
      expect([name, (await get(`git/commits/${name}`)).status]).toEqual([name, 422])
  })

  it('compares a merge with its first parent', async () => {
    const tree = await code.git('rev-parse', 'side^{tree}')
    const merge = await code.git('commit-tree', '-p', 'side', '-p', 'main', '-m', 'Merge', tree)
    const { body } = await get(`git/commits/${merge}`)
    expect(body).toMatchObject({ files: [], stats: { total: 0 }, parents: [{ sha: ids.side }, {}] })
  })
})

describe('GET /repos/{owner}/{repo}/compare/{basehead}', () => {
  it('returns 200 and the commits by which the second revision is ahead', async () => {
    for (const pair of ['v1...side', 'v1..side', `${ids.second}...refs/heads/side`]) {
      const { body } = await get(`compare/${pair}`)
      expect([pair, body.total_commits, body.commits[0].sha]).toEqual([pair, 1, ids.side])
    }
    expect((await get('compare/side')).body.total_commits).toBe(1)
    expect((await get('compare/side...v1')).body).toEqual({ total_commits: 0, commits: [] })
    for (const pair of ['v1~1...v1', 'v1^...v1', 'v1~1^0...v1~0'])
      expect([pair, (await get(`compare/${pair}`)).body.total_commits]).toEqual([pair, 1])
    for (const pair of ['v1~99...v1', 'v1^{/x}...v1', 'v1~1000...v1', 'v1^x...v1', 'v1@{1}...v1'])
      expect([pair, (await get(`compare/${encodeURIComponent(pair)}`)).status]).toEqual([pair, 404])
    for (const pair of ['nope...main', 'main...nope']) expect((await get(`compare/${pair}`)).status).toBe(404)
  })
})

describe('GET /repos/{owner}/{repo}/git/commits/{sha}.{diffType}', () => {
  it('returns 200 and text that Git reads, also for comparisons on the site, and 404 for an unknown commit', async () => {
    const diff = await get(`git/commits/${ids.second}.diff`)
    expect(diff.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(diff.text).toContain('diff --git a/a.txt b/a.txt\nindex ')
    expect((await get('git/commits/side.patch')).text).toMatch(/^From [0-9a-f]{40} /)
    const onSite = `${site.url}/${ada.name}/${code.name}`
    const compared = await fetch(`${onSite}/compare/v1...side.diff`, {
      headers: { authorization: `token ${ada.token}` },
    })
    expect(await compared.text()).toContain('+++ b/side.txt')
    expect((await get(`git/commits/${'0'.repeat(40)}.diff`)).status).toBe(404)
  })
})

describe('GET /repos/{owner}/{repo}/compare/{basehead}?output=', () => {
  it('returns 200 and the text of what changed since both parted, or, with two dots, between both', async () => {
    const since = await get('compare/main...side?output=diff')
    expect(since.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(since.text).toContain('+++ b/side.txt')
    expect(since.text).not.toContain('docs/d.txt')
    expect((await get('compare/main..side?output=diff')).text).toContain('--- a/docs/d.txt')
    expect((await get('compare/side?output=diff')).text).toBe(since.text)
    expect((await get('compare/main...refs/heads/side?output=patch')).text).toMatch(/^From [0-9a-f]{40} /)
    const etag = since.headers.get('etag') ?? ''
    const again = await call(site, 'GET', `${code.path}/compare/main...side?output=diff`, {
      as: ada,
      headers: { 'if-none-match': etag },
    })
    expect(again.status).toBe(304)
  })

  it('returns 200 and JSON if it is empty, 404 for an unknown revision, and 422 for another output', async () => {
    expect((await get('compare/v1...side?output=')).body.total_commits).toBe(1)
    for (const pair of ['nope...main', 'main...nope'])
      expect([pair, (await get(`compare/${pair}?output=diff`)).status]).toEqual([pair, 404])
    for (const output of ['json', 'DIFF', 'diff,patch'])
      expect([output, (await get(`compare/v1...side?output=${output}`)).status]).toEqual([output, 422])
  })
})

describe('GET /repos/{owner}/{repo}/commits/{sha}/pull', () => {
  it('returns 404, because there are no pull requests', async () => {
    expect((await get(`commits/${ids.second}/pull`)).status).toBe(404)
  })
})

describe('a site that reserves what is expensive', () => {
  const reserved = useSite({ expensivePages: 'signed-in' })

  it('returns 401 for it to who is not signed in, and shows them the newest commits', async () => {
    const eve = await makePerson(reserved)
    const { path, git } = await makeCode(reserved, eve, { 'a.txt': 'a' })
    await git('tag', 'v1')
    const statuses = (as: Person | undefined) =>
      Promise.all(
        [
          'commits',
          'commits?page=2',
          'compare/main...main',
          'git/commits/main',
          'archive/main.zip',
          'archive/v1.zip',
        ].map(async rest => (await call(reserved, 'GET', `${path}/${rest}`, { as })).status),
      )
    expect(await statuses(undefined)).toEqual([200, 401, 401, 200, 401, 200])
    expect(await statuses(eve)).toEqual(Array(6).fill(200))
  })
})
