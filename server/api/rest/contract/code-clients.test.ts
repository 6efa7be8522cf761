import { beforeAll, describe, expect, it } from 'vitest'
import { makeOrg } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { type CodeRepository, makeCode } from '@/testing/code'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
let ada: Person
let org: string
let code: CodeRepository
let tip: string

beforeAll(async () => {
  ada = await makePerson(site)
  code = await makeCode(site, ada, {
    '.woodpecker/build.yml': 'steps: []\n',
    'deploy/app.yaml': 'kind: Deployment\n',
    'README.md': '# Engine\n',
  })
  tip = await code.git('rev-parse', 'main')
  await code.git('branch', 'release/v1', 'main')
  await code.git('tag', 'v1.0', 'main')
  ;({ name: org } = await makeOrg(site.db, ada.account.id))
  const moved = await call(site, 'POST', `${code.path}/transfer`, { as: ada, body: { new_owner: org } })
  expect(moved.status).toBe(202)
})

/** What a program asks, in its order, with the status and the parts of the answer that it uses. */
type Asked = [path: string, status: number, body?: unknown]

async function expectAnswers(rows: (at: string) => Asked[]) {
  for (const [path, status, body] of rows(`/repos/${org}/${code.name}`)) {
    const answer = await call(site, 'GET', path, { as: ada })
    expect([path, answer.status]).toEqual([path, status])
    if (Array.isArray(body)) expect(answer.body, path).toHaveLength(body.length)
    if (body !== undefined) expect(answer.body, path).toMatchObject(body as object)
  }
}

const branch = (name: string) => ({ name, commit: { id: tip }, protected: false })

describe('Argo CD', () => {
  it('finds the repositories of an organization with their branches and paths', async () => {
    const clone = { clone_url: expect.stringMatching(/\.git$/), html_url: expect.stringContaining(code.name) }
    await expectAnswers(at => [
      ['/version', 200, { version: expect.stringMatching(/^1\.\d+/) }],
      [`/orgs/${org}/repos?limit=0&page=0`, 200, [{ name: code.name, default_branch: 'main', ...clone }]],
      [`${at}/branches?limit=0&page=0`, 200, [branch('main'), branch('release/v1')]],
      [`${at}/branches/main`, 200, branch('main')],
      [`${at}/branches/release%2Fv1`, 200, branch('release/v1')],
      [`${at}/contents/deploy?ref=main`, 200, [{ path: 'deploy/app.yaml' }]],
      [`${at}/contents/deploy/app.yaml?ref=release%2Fv1`, 200, { type: 'file' }],
      [`${at}/contents/none?ref=main`, 404],
      [`${at}/labels?limit=0&page=0`, 200, []],
    ])
  })

  it('finds no pull requests, and that a repository does not exist', async () => {
    await expectAnswers(at => [
      ['/version', 200],
      [`${at}/pulls?limit=0&page=0&state=open`, 200, []],
      [`/repos/${org}/none/pulls?limit=0&page=0&state=open`, 404],
    ])
  })
})

describe('Woodpecker and Drone', () => {
  it('read the configuration and the branch of a repository before a build', async () => {
    const content = Buffer.from('steps: []\n').toString('base64')
    await expectAnswers(at => [
      ['/version', 200],
      ['/user', 200, { login: ada.name }],
      ['/user/repos?limit=50&page=1', 200],
      [at, 200, { default_branch: 'main', permissions: { admin: true } }],
      [`${at}/contents/.woodpecker.yml?ref=${tip}`, 404],
      [`${at}/contents/.woodpecker?ref=${tip}`, 200, [{ path: '.woodpecker/build.yml', type: 'file' }]],
      [`${at}/contents/.woodpecker/build.yml?ref=${tip}`, 200, { encoding: 'base64', content }],
      [`${at}/raw/.woodpecker/build.yml?ref=${tip}`, 200],
      [`${at}/git/trees/${tip}?recursive=1`, 200, { truncated: false, total_count: 5 }],
      [`${at}/branches?limit=50&page=1`, 200, [branch('main'), branch('release/v1')]],
      [`${at}/branches/main`, 200, branch('main')],
      [`${at}/commits?sha=main&limit=1`, 200, [{ sha: tip, commit: { message: 'Change files\n' } }]],
      [`${at}/git/commits/${tip}`, 200, { sha: tip, files: [{}, {}, {}] }],
      [`${at}/compare/v1.0...${tip}`, 200, { total_commits: 0, commits: [] }],
      [`${at}/tags?limit=50&page=1`, 200, [{ name: 'v1.0', commit: { sha: tip } }]],
      [`${at}/keys?limit=50&page=1`, 200, []],
      [`${at}/hooks?limit=50&page=1`, 200, []],
    ])
  })
})
