import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeOrg, makeRepository } from '@/db/testing/factories'
import { runGit } from '@/server/kernel/git/run'
import { repositoryPath } from '@/server/repos/storage'
import { type Answer, call } from '@/testing/call'
import { makePerson, makeToken, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
let ada: Person

beforeAll(async () => {
  ada = await makePerson(site)
})

const create = (as: Person, body: unknown): Promise<Answer> => call(site, 'POST', '/user/repos', { as, body })
const outcome = ({ status, body }: Answer) => [status, body?.message]

async function dataOf(id: number): Promise<string> {
  const { storage_key } = await site.db
    .selectFrom('repositories')
    .select('storage_key')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return repositoryPath(site.services.config, storage_key)
}

/** Returns the numbers of bare repositories and of unfinished creations on disk. */
async function onDisk(): Promise<{ bare: number; notes: number }> {
  const names = await readdir(site.services.config.repositoryDir, { recursive: true })
  const notes = names.filter(name => name.startsWith('intents/')).length
  return { bare: names.filter(name => /^[0-9a-f]{2}\/.*\.git$/.test(name)).length, notes }
}

describe('POST /user/repos', () => {
  it('returns 201 with the default settings and creates an empty Git repository', async () => {
    const answer = await create(ada, { name: 'plain' })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      name: 'plain',
      full_name: `${ada.name}/plain`,
      owner: { login: ada.name },
      description: '',
      private: false,
      empty: true,
      template: false,
      archived: false,
      size: 0,
      branch_count: 0,
      default_branch: 'main',
      object_format_name: 'sha1',
      permissions: { admin: true, push: true, pull: true },
      has_issues: false,
      clone_url: `${site.url}/${ada.name}/plain.git`,
    })
    const repository = await dataOf(answer.body.id)
    expect(await runGit(['symbolic-ref', 'HEAD'], { repository })).toBe('refs/heads/main\n')
    expect(await runGit(['for-each-ref'], { repository })).toBe('')
  })

  it('returns 201 and, with auto_init, commits a readme by the caller on the default branch', async () => {
    const author = await makePerson(site, { full_name: 'Ada Byron' })
    const answer = await create(author, {
      name: 'begun',
      description: 'An engine.\nOf numbers.',
      auto_init: true,
      default_branch: 'trunk/1.0',
      readme: 'Default',
      private: true,
    })
    expect(answer.body).toMatchObject({
      private: true,
      empty: false,
      default_branch: 'trunk/1.0',
      branch_count: 1,
    })
    expect(answer.body.size).toBeGreaterThan(0)
    const repository = await dataOf(answer.body.id)
    const log = await runGit(['log', '--format=%an <%ae>', 'refs/heads/trunk/1.0'], { repository })
    expect(log).toBe(`Ada Byron <${author.account.email}>\n`)
    const readme = await runGit(['show', 'trunk/1.0:README.md'], { repository })
    expect(readme).toBe('# begun\n\nAn engine.\nOf numbers.')
    expect(await runGit(['fsck', '--strict'], { repository })).toBe('')
  })

  it('returns 201 and keeps a hidden email address out of the first commit', async () => {
    const shy = await makePerson(site, { hide_email: true })
    const { body } = await create(shy, { name: 'shy', auto_init: true })
    const log = await runGit(['log', '--format=%ae %ce'], { repository: await dataOf(body.id) })
    expect(log).not.toContain(shy.account.email)
    expect(log).toContain('@noreply.')
  })

  it('returns 201 for a repository with SHA-256', async () => {
    const { body } = await create(ada, { name: 'long-ids', object_format_name: 'sha256', auto_init: true })
    expect(body.object_format_name).toBe('sha256')
    const repository = await dataOf(body.id)
    expect((await runGit(['rev-parse', 'HEAD'], { repository })).trim()).toHaveLength(64)
  })

  it('returns 201 for empty options, which existing clients send', async () => {
    const answer = await create(ada, {
      name: 'words',
      description: '',
      gitignores: '',
      license: '',
      readme: '',
      issue_labels: '',
      trust_model: '',
      default_branch: '',
      object_format_name: '',
      auto_init: true,
    })
    expect([answer.status, answer.body.default_branch]).toEqual([201, 'main'])
  })

  it('returns 201 for options without effect, which the OpenAPI document describes as such', async () => {
    const person = await makePerson(site)
    const words = ['default', 'collaborator', 'committer', 'collaboratorcommitter']
    const options = [...words.map(trust_model => ({ trust_model })), { has_code: true }]
    for (const [at, option] of options.entries()) {
      const { status, body } = await create(person, { name: `without-${at}`, ...option })
      expect([status, body.has_code, body.trust_model]).toEqual([201, true, undefined])
    }
    const { paths } = await (await fetch(`${site.url}/api/v1/openapi.json`)).json()
    const { schema } = paths['/user/repos'].post.requestBody.content['application/json']
    const { trust_model, has_code } = schema.properties
    expect(trust_model.description).toMatch(/^Ignored because /)
    expect(has_code.description).toMatch(/^Must be `true`: /)
  })

  it('returns 201 and ignores templates without auto_init', async () => {
    expect((await create(ada, { name: 'ignored', license: 'MIT', readme: 'x' })).status).toBe(201)
  })

  it('returns 201 and records an event in the same transaction', async () => {
    const { body } = await create(ada, { name: 'told' })
    const events = await site.db
      .selectFrom('events')
      .select(['kind', 'actor_id', 'owner_id', 'data'])
      .where('repository_id', '=', body.id)
      .execute()
    expect(events).toEqual([
      {
        kind: 'repository.created',
        actor_id: ada.account.id,
        owner_id: ada.account.id,
        data: { repositoryId: body.id, name: 'told', private: false },
      },
    ])
  })

  it('returns 201 for a former name of another repository, which then refers to the new one', async () => {
    const old = await makeRepository(site.db, ada.account.id)
    await call(site, 'PATCH', `/repos/${ada.name}/${old.name}`, { as: ada, body: { name: `${old.name}-b` } })
    const made = await create(ada, { name: old.name })
    const found = await call(site, 'GET', `/repos/${ada.name}/${old.name}`)
    expect([made.status, found.status, found.body.id]).toEqual([201, 200, made.body.id])
  })

  it('returns 201 with a license in the owner’s name and the current year, and a .gitignore of all templates named', async () => {
    const author = await makePerson(site, { full_name: 'Ada $& Byron' })
    const options = { auto_init: true, license: 'MIT', gitignores: 'Go, macOS,Go' }
    const { body } = await create(author, { name: 'licensed', ...options })
    const repository = await dataOf(body.id)
    const files = await runGit(['ls-tree', '--name-only', 'main'], { repository })
    expect(files).toBe('.gitignore\nLICENSE\nREADME.md\n')
    const license = await runGit(['show', 'main:LICENSE'], { repository })
    expect(license).toContain(`Copyright (c) ${new Date().getUTCFullYear()} Ada $& Byron\n`)
    expect(license).toMatch(/^MIT License\n[^<>]*$/)
    const ignored = await runGit(['show', 'main:.gitignore'], { repository })
    expect(ignored).toMatch(/^# Go\n[^#]*\*\.test\n[^#]*\n\n# macOS\n\.DS_Store\n[^#]*$/)
  })

  it.each([
    ['readme', 'Fancy', 'available templates: [Default]'],
    ['license', 'mit or so', 'see GET /licenses for the available ones'],
    ['license', 'constructor', 'see GET /licenses for the available ones'],
    ['gitignores', 'Go,Fancy', 'see GET /gitignore/templates for the available ones'],
    ['gitignores', 'constructor', 'see GET /gitignore/templates for the available ones'],
  ])('returns 400 for an unknown template in %s: %s, and creates nothing', async (field, value, instead) => {
    const made = await create(ada, { name: 'no-template', auto_init: true, [field]: value })
    const name = value.replace('Go,', '')
    expect(outcome(made)).toEqual([400, `${field} template does not exist [${name}], ${instead}`])
    expect((await call(site, 'GET', `/repos/${ada.name}/no-template`, { as: ada })).status).toBe(404)
  })

  it('returns 401 without credentials', async () => {
    expect(outcome(await call(site, 'POST', '/user/repos', { body: { name: 'x' } }))).toEqual([
      401,
      'token is required',
    ])
  })

  it('returns 403 for a token that lacks one of both scopes or is limited to public data', async () => {
    for (const scope of ['write:user', 'write:repository'] as const) {
      const token = await makeToken(site, ada.account.id, [scope])
      const answer = await call(site, 'POST', '/user/repos', { as: { token }, body: { name: 'x' } })
      expect(answer.status).toBe(403)
      expect(answer.body.message).toContain('required=[write:user write:repository]')
    }
    const token = await makeToken(site, ada.account.id, ['public-only', 'all'])
    const answer = await call(site, 'POST', '/user/repos', { as: { token }, body: { name: 'x' } })
    expect(outcome(answer)).toEqual([403, 'this endpoint is not available for public-only tokens'])
  })

  it('returns 409 for a name in use, ignoring case, and leaves nothing on disk', async () => {
    await create(ada, { name: 'Taken' })
    const before = await onDisk()
    for (const name of ['Taken', 'tAKEN']) {
      expect(outcome(await create(ada, { name }))).toEqual([
        409,
        'The repository with the same name already exists.',
      ])
    }
    expect(await onDisk()).toEqual(before)
  })

  it('returns 201 to one of several concurrent requests for a name, and 409 to the others, which leave nothing on disk', async () => {
    const before = await onDisk()
    const answers = await Promise.all(
      ['Racing', 'racing', 'RACING', 'racing'].map(name => create(ada, { name, auto_init: true })),
    )
    expect(answers.map(answer => answer.status).sort()).toEqual([201, 409, 409, 409])
    const winner = answers.find(answer => answer.status === 201)
    expect(existsSync(join(await dataOf(winner?.body.id), 'HEAD'))).toBe(true)
    expect(await onDisk()).toEqual({ bare: before.bare + 1, notes: before.notes })
    const { repository_count } = await site.db
      .selectFrom('users')
      .select('repository_count')
      .where('id', '=', ada.account.id)
      .executeTakeFirstOrThrow()
    const rows = await site.db
      .selectFrom('repositories')
      .select('id')
      .where('owner_id', '=', ada.account.id)
      .execute()
    expect(repository_count).toBe(rows.length)
  })

  it.each(['.', '..', '-'])('returns 422 for the reserved name %s', async name => {
    expect(outcome(await create(ada, { name }))).toEqual([422, `name is reserved [name: ${name}]`])
  })

  it.each([
    ['x.git', '*.git'],
    ['x.Wiki', '*.wiki'],
    ['.rss', '*.rss'],
    ['a.b.atom', '*.atom'],
  ])('returns 422 for the name %s with a reserved ending', async (name, pattern) => {
    expect(outcome(await create(ada, { name }))).toEqual([
      422,
      `name pattern is not allowed [pattern: ${pattern}]`,
    ])
  })

  it.each([
    ['no name', {}, '[Name]: Required'],
    ['an empty name', { name: ' ' }, '[Name]: Required'],
    ['a space', { name: 'a b' }, '[Name]: Use only letters, numbers, "-", "_", and ".".'],
    ['a slash', { name: 'a/b' }, '[Name]: Use only letters, numbers, "-", "_", and ".".'],
    ['non-ASCII letters', { name: 'añb' }, '[Name]: Use only letters, numbers, "-", "_", and ".".'],
    ['a long name', { name: 'x'.repeat(101) }, '[Name]: MaxSize: Use at most 100 characters.'],
    [
      'a long description',
      { name: 'x', description: 'x'.repeat(2049) },
      '[Description]: MaxSize: Use at most 2048 characters.',
    ],
    ['a string for a switch', { name: 'x', private: 'false' }, '[]: private: expected boolean'],
    [
      'has_code set to false',
      { name: 'x', has_code: false },
      '[HasCode]: Use true; this cannot be turned off.',
    ],
    [
      'an unknown trust model',
      { name: 'x', trust_model: 'nobody' },
      expect.stringMatching(/^\[TrustModel\]: In: /),
    ],
    [
      'an unknown format',
      { name: 'x', object_format_name: 'md5' },
      '[ObjectFormatName]: In: Choose sha1 or sha256.',
    ],
  ])('returns 422 for %s', async (_, body, message) => {
    expect(outcome(await create(ada, body))).toEqual([422, message])
  })

  it.each([
    ...['a b', '-x', 'a..b', 'a@{b', 'x.lock', '/a', 'a/', 'a~1', 'HEAD', '@', 'a\\b', 'a:b', 'a/.b'],
    ...['refs/heads/main', 'refs/tags/v1', 'refs/main'],
  ])('returns 422 for the default branch %s', async default_branch => {
    const answer = await create(ada, { name: 'never', default_branch })
    expect(answer.status).toBe(422)
    expect(answer.body.message).toMatch(/^\[DefaultBranch\]: GitRefName: /)
  })
})

describe('POST /admin/users/{username}/repos', () => {
  it('returns 201 and creates the repository for the named user', async () => {
    const [root, bob] = [await makePerson(site, { is_admin: true }), await makePerson(site)]
    const path = `/admin/users/${bob.name}/repos`
    const answer = await call(site, 'POST', path, { as: root, body: { name: 'gift', private: true } })
    expect([answer.status, answer.body.full_name]).toEqual([201, `${bob.name}/gift`])
    expect((await call(site, 'DELETE', `/repos/${bob.name}/gift`, { as: bob })).status).toBe(204)
  })

  it('returns 403 to anyone but administrators', async () => {
    const answer = await call(site, 'POST', `/admin/users/${ada.name}/repos`, {
      as: ada,
      body: { name: 'x' },
    })
    expect(outcome(answer)).toEqual([403, 'user should be the site admin'])
  })

  it('returns 404 for an unknown user', async () => {
    const root = await makePerson(site, { is_admin: true })
    const answer = await call(site, 'POST', '/admin/users/nobody-here/repos', {
      as: root,
      body: { name: 'x' },
    })
    expect(answer.status).toBe(404)
  })
})

describe('an account with the maximum number of repositories', () => {
  const small = useSite({ maxRepositories: 2 })
  const make = (as: Person, path: string, name: string) => call(small, 'POST', path, { as, body: { name } })
  const full = [403, 'user has reached maximum limit of repositories [limit: 2]']

  it('gets 403 for more, even in concurrent requests, which leave nothing on disk', async () => {
    const eve = await makePerson(small)
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const answers = await Promise.all(names.map(name => make(eve, '/user/repos', name)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2)
    for (const answer of answers.filter(({ status }) => status !== 201)) expect(outcome(answer)).toEqual(full)
    expect(outcome(await make(eve, '/user/repos', 'g'))).toEqual(full)
    const rows = await small.db.selectFrom('repositories').select('storage_key').execute()
    const folder = small.services.config.repositoryDir
    const below = await readdir(folder, { recursive: true })
    const kept = below.filter(path => /^..\/[0-9a-f]{32}\.git$/.test(path))
    expect(kept.map(path => path.slice(3, -4)).sort()).toEqual(rows.map(row => row.storage_key).sort())
  })

  it('gets 403 for more as an organization, too, until one is deleted', async () => {
    const eve = await makePerson(small)
    const org = await makeOrg(small.db, eve.account.id)
    const path = `/orgs/${org.name}/repos`
    for (const name of ['a', 'b']) expect((await make(eve, path, name)).status).toBe(201)
    expect(outcome(await make(eve, path, 'c'))).toEqual(full)
    await call(small, 'DELETE', `/repos/${org.name}/a`, { as: eve })
    expect((await make(eve, path, 'c')).status).toBe(201)
  })

  it('gets more only from a site administrator (201), to whom no limit applies', async () => {
    const root = await makePerson(small, { is_admin: true })
    const eve = await makePerson(small)
    for (const name of ['a', 'b', 'c']) {
      expect((await make(root, '/user/repos', name)).status).toBe(201)
      expect((await make(root, `/admin/users/${eve.name}/repos`, name)).status).toBe(201)
    }
  })
})
