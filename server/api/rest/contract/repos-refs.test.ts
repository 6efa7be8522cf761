import { beforeAll, describe, expect, it } from 'vitest'
import { addToTeam, attach, makeOrg, makeRepository, makeTeam } from '@/db/testing/factories'
import { runGit } from '@/server/kernel/git/run'
import { repositoryPath } from '@/server/repos/storage'
import { type Answer, call } from '@/testing/call'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const people: Record<string, Person> = {}
let path: string
let repository = ''
let git: (...args: string[]) => Promise<string>

const namesOf = (answer: Answer): string[] => answer.body.map((entry: { name: string }) => entry.name)
const get = (rest: string, as?: Person) => call(site, 'GET', `${path}${rest}`, { as })

beforeAll(async () => {
  people.owner = await makePerson(site, { full_name: 'Ada Byron' })
  people.writer = await makePerson(site)
  people['site admin'] = await makePerson(site, { is_admin: true })
  site.now.set(new Date('2026-07-24T10:00:00Z'))
  const { body } = await call(site, 'POST', '/user/repos', {
    as: people.owner,
    body: { name: 'branched', auto_init: true },
  })
  site.now.set(undefined)
  const { storage_key } = await site.db
    .selectFrom('repositories')
    .select('storage_key')
    .where('id', '=', body.id)
    .executeTakeFirstOrThrow()
  repository = repositoryPath(site.services.config, storage_key)
  const settings = { 'user.name': 'Bob', 'user.email': 'bob@example.test' }
  git = async (...args) => (await runGit(args, { repository, settings })).trim()
  for (const branch of ['release/2.0', 'a-first', 'naïve']) await git('branch', branch, 'main')
  await git('tag', 'light', 'main')
  await git('tag', '-a', '-m', 'All is told', 'v1.0', 'main')
  await site.db
    .insertInto('repository_collaborators')
    .values({ repository_id: body.id, user_id: people.writer.account.id, mode: 'write' })
    .execute()
  path = `/repos/${people.owner.name}/branched`
})

describe('GET /repos/{owner}/{repo}/branches', () => {
  it('returns 200 and all branches, sorted by name if of the same age, with count and links', async () => {
    const names = ['a-first', 'main', 'naïve', 'release/2.0']
    const answer = await get('/branches')
    expect([namesOf(answer), answer.headers.get('x-total-count')]).toEqual([names, '4'])
    const first = await get('/branches?limit=3')
    expect(first.headers.get('link')).toContain('limit=3&page=2')
    expect(namesOf(await get('/branches?limit=3&page=2'))).toEqual(['release/2.0'])
    const past = await get('/branches?page=9')
    expect([past.body, past.headers.get('x-total-count')]).toEqual([[], '4'])
  })

  it('returns 200 and the newest commit first, with its signature unverified', async () => {
    const tree = await git('rev-parse', 'main^{tree}')
    const people = 'author A <a@x> 1 +0000\ncommitter A <a@x> 1900000000 +0000\n'
    const payload = `tree ${tree}\n${people}\nSigned\n`
    const signature = '-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----\n'
    const header = `gpgsig ${signature.trimEnd().replaceAll('\n', '\n ')}\n`
    const input = `tree ${tree}\n${people}${header}\nSigned\n`
    const id = (await runGit(['hash-object', '-t', 'commit', '-w', '--stdin'], { repository, input })).trim()
    await git('branch', 'zz-signed', id)
    const [first] = (await get('/branches')).body
    await git('branch', '-D', 'zz-signed')
    expect(first).toMatchObject({
      name: 'zz-signed',
      commit: {
        verification: {
          verified: false,
          reason: 'gpg.error.no_gpg_keys_found',
          signature,
          signer: null,
          payload,
        },
      },
    })
  })

  it('returns 200 and an empty list for an empty repository, as does GET /repos/{owner}/{repo}/tags', async () => {
    const empty = await makeRepository(site.db, people.owner?.account.id ?? 0)
    for (const kind of ['branches', 'tags']) {
      const answer = await call(site, 'GET', `/repos/${people.owner?.name}/${empty.name}/${kind}`)
      expect([answer.status, answer.body, answer.headers.get('x-total-count')]).toEqual([200, [], '0'])
    }
  })
})

describe('GET /repos/{owner}/{repo}/branches/{branch}', () => {
  it('returns 200 and the branch with its last commit', async () => {
    const sha = await git('rev-parse', 'main')
    const author = { name: 'Ada Byron', email: people.owner?.account.email, username: '' }
    expect((await get('/branches/main')).body).toEqual({
      name: 'main',
      commit: {
        id: sha,
        message: 'Initial commit\n',
        url: `${site.url}/${people.owner?.name}/branched/commit/${sha}`,
        author,
        committer: author,
        verification: {
          verified: false,
          reason: 'gpg.error.not_signed_commit',
          signature: '',
          signer: null,
          payload: '',
        },
        timestamp: '2026-07-24T10:00:00Z',
        added: null,
        removed: null,
        modified: null,
      },
      protected: false,
      required_approvals: 0,
      enable_status_check: false,
      status_check_contexts: [],
      user_can_push: false,
      user_can_merge: false,
      effective_branch_protection_name: '',
    })
  })

  it('returns 200 and whether the caller can push to it', async () => {
    for (const title of ['owner', 'writer', 'site admin']) {
      expect((await get('/branches/main', people[title])).body).toMatchObject({
        user_can_push: true,
        user_can_merge: true,
      })
    }
  })

  it('returns 200 for a name with slashes or non-ASCII letters, percent-encoded', async () => {
    expect((await get('/branches/release%2F2.0')).body.name).toBe('release/2.0')
    expect((await get('/branches/release/2.0')).body.name).toBe('release/2.0')
    expect((await get(`/branches/${encodeURIComponent('naïve')}`)).body.name).toBe('naïve')
  })

  it.each([
    'release',
    'MAIN',
    'main~0',
    'refs%2Fheads%2Fmain',
    '-x',
    '..%2Fmain',
    '*',
    'v1.0',
    'light',
    '%00',
  ])('returns 404 for %s', async name => {
    const answer = await get(`/branches/${name}`)
    expect([answer.status, answer.body.message]).toEqual([404, 'not found'])
  })
})

describe('GET /repos/{owner}/{repo}/tags', () => {
  it('returns 200 and all tags, lightweight and annotated', async () => {
    const sha = await git('rev-parse', 'main')
    const answer = await get('/tags')
    expect(answer.headers.get('x-total-count')).toBe('2')
    const commit = {
      sha,
      url: `${site.url}/api/v1/repos/${people.owner?.name}/branched/git/commits/${sha}`,
      created: '2026-07-24T10:00:00Z',
    }
    const archivesOf = (name: string) => ({
      zipball_url: `${site.url}/${people.owner?.name}/branched/archive/${name}.zip`,
      tarball_url: `${site.url}/${people.owner?.name}/branched/archive/${name}.tar.gz`,
    })
    const reported = answer.body.toSorted((one: { name: string }) => (one.name === 'light' ? -1 : 1))
    expect(reported).toEqual([
      { name: 'light', message: 'Initial commit', id: sha, commit, ...archivesOf('light') },
      {
        name: 'v1.0',
        message: 'All is told',
        id: await git('rev-parse', 'refs/tags/v1.0'),
        commit,
        ...archivesOf('v1.0'),
      },
    ])
    expect((await get('/tags/v1.0')).body).toEqual(reported[1])
  })

  it('returns 404 from GET /repos/{owner}/{repo}/tags/{tag} for an unknown tag', async () => {
    for (const name of ['v1', 'main', 'V1.0']) expect((await get(`/tags/${name}`)).status).toBe(404)
  })
})

describe('branches and tags', () => {
  it('return 403 to users who can see only other parts of the repository, and 404 to those who cannot see it', async () => {
    const [owner, issuesOnly, outsider] = [
      await makePerson(site),
      await makePerson(site),
      await makePerson(site),
    ]
    const org = await makeOrg(site.db, owner.account.id)
    const repository = await makeRepository(site.db, org.id, { is_private: true })
    const team = await makeTeam(site.db, org.id, { mode: 'none' }, { 'repo.issues': 'write' })
    await addToTeam(site.db, team, issuesOnly.account.id)
    await attach(site.db, team, repository.id)
    for (const rest of ['branches', 'branches/main', 'tags', 'tags/v1']) {
      const ask = (as?: Person) => call(site, 'GET', `/repos/${org.name}/${repository.name}/${rest}`, { as })
      const refused = await ask(issuesOnly)
      expect([refused.status, refused.body.message]).toEqual([
        403,
        'user should have specific read permission or be a repo admin or a site admin',
      ])
      for (const as of [undefined, outsider]) expect((await ask(as)).status).toBe(404)
    }
  })
})
