// @module-tag embedded
import { beforeAll, describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { type CodeRepository, makeCode } from '@/testing/code'
import { makeGitRepository } from '@/testing/git-repository'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
let ada: Person
let code: CodeRepository
const get = (rest: string, at = code.path) => call(site, 'GET', `${at}/${rest}`, { as: ada })
let older: string
let newer: string

/** The branch `both` is at the older commit, and the tag `both` at the newer one. */
beforeAll(async () => {
  ada = await makePerson(site)
  code = await makeCode(site, ada, { 'a.txt': 'older\n' })
  older = await code.git('rev-parse', 'main')
  await code.git('branch', 'both', older)
  newer = await code.commit({ 'a.txt': 'newer\n' })
  await code.git('tag', 'both', newer)
  await code.git('branch', 'feature/a&b+c', newer)
})

/** Asks each kind of endpoint for a revision, and returns the commit that it found, or the status. */
const asked: Record<string, (ref: string) => Promise<string | number>> = {
  contents: async ref => found(await get(`contents/a.txt?ref=${ref}`), body => body.last_commit_sha),
  raw: async ref => found(await get(`raw/a.txt?ref=${ref}`), text => (text === 'older\n' ? older : newer)),
  media: async ref =>
    found(await get(`media/a.txt?ref=${ref}`), text => (text === 'older\n' ? older : newer)),
  commits: async ref => found(await get(`commits?limit=1&stat=false&sha=${ref}`), body => body[0].sha),
  'git/commits': async ref => found(await get(`git/commits/${ref}`), body => body.sha),
  'git/trees': async ref => found(await get(`git/trees/${ref}`), body => body.sha),
  archive: async ref =>
    found(await get(`archive/${ref}.zip`), (_, link) => /rev=(\w+)/.exec(link)?.[1] ?? ''),
  compare: async ref => found(await get(`compare/${older}...${ref}`), body => body.commits[0]?.sha ?? older),
}

function found(
  { status, body, headers }: Awaited<ReturnType<typeof call>>,
  read: (body: Awaited<ReturnType<typeof call>>['body'], link: string) => string,
): string | number {
  return status === 200 ? read(body, headers.get('link') ?? '') : status
}

const contents = ['contents', 'raw', 'media']
const asInGit = ['commits', 'git/commits', 'git/trees', 'archive', 'compare']

describe('the name of a revision', () => {
  it('means a branch before a tag for contents, and a tag before a branch as in Git for everything else', async () => {
    const answers = Object.fromEntries(
      await Promise.all([...contents, ...asInGit].map(async kind => [kind, await asked[kind]?.('both')])),
    )
    const expected = [...contents.map(kind => [kind, older]), ...asInGit.map(kind => [kind, newer])]
    expect(answers).toEqual(Object.fromEntries(expected))
    expect((await get('contents/a.txt?ref=both')).body.html_url).toContain('/src/branch/both/')
  })

  it('can be a branch, a full ID, and, except for contents, an abbreviated ID, a full ref name, or HEAD', async () => {
    const names: [name: string, ofContents: string | number, ofOthers: string | number][] = [
      ['main', newer, newer],
      ['feature%2Fa%26b%2Bc', newer, newer],
      [newer, newer, newer],
      [newer.slice(0, 7), 404, newer],
      [newer.slice(0, 7).toUpperCase(), 404, newer],
      ['refs%2Fheads%2Fboth', 404, older],
      ['refs%2Ftags%2Fboth', 404, newer],
      ['HEAD', 404, newer],
      ['nope', 404, 404],
      [newer.slice(0, 3), 404, 404],
      ['f'.repeat(40), 404, 404],
      ['heads%2Fmain', 404, 404],
      ['%2Fmain', 404, 404],
      ['--all', 404, 404],
    ]
    for (const [name, ofContents, ofOthers] of names) {
      for (const kind of contents)
        expect([kind, name, await asked[kind]?.(name)]).toEqual([kind, name, ofContents])
      for (const kind of asInGit) {
        // It says so with another status.
        const refused = kind === 'git/trees' && ofOthers === 404 ? 400 : ofOthers
        expect([kind, name, await asked[kind]?.(name)]).toEqual([kind, name, refused])
      }
    }
  })
})

describe('an empty repository', () => {
  it('answers each endpoint with 200 and nothing, or with the status of its clients', async () => {
    const { path } = await makeGitRepository(site, ada.account)
    const rows: [rest: string, status: number, body?: unknown][] = [
      ['contents', 200, []],
      ['contents/a.txt', 404],
      ['raw/a.txt', 404],
      ['media/a.txt', 404],
      ['commits', 409],
      ['commits/main/pull', 404],
      ['branches', 200, []],
      ['tags', 200, []],
      ['git/refs', 404],
      ['git/refs/heads', 404],
      ['git/trees/main', 400],
      [`git/blobs/${older}`, 400],
      [`git/tags/${older}`, 400],
      ['git/commits/main', 404],
      ['git/commits/main.diff', 404],
      ['compare/main...main', 404],
      ['compare/main...main?output=patch', 404],
      ['archive/main.zip', 404],
      ['tarball/main', 404],
      ['zipball/main', 404],
      ['bundle/main', 404],
      ['licenses', 200, []],
      ['languages', 200, {}],
      ['actions/tasks', 200, { workflow_runs: [], total_count: 0 }],
    ]
    for (const [rest, status, body] of rows) {
      const answer = await get(rest, `/repos${path}`)
      expect([rest, answer.status]).toEqual([rest, status])
      if (body !== undefined) expect(answer.body, rest).toEqual(body)
      else expect(answer.body.url, rest).toBe(`${site.services.config.baseUrl}/api/docs`)
    }
  })
})
