import { execFile } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeOrg } from '@/db/testing/factories'
import { signIn } from '@/testing/browser'
import { call } from '@/testing/call'
import { gitOk } from '@/testing/git'
import {
  addressOf,
  type GitRepository,
  makeGitRepository,
  startLocal,
  useWorkDirectory,
} from '@/testing/git-repository'
import { makePerson, makeToken, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const run = promisify(execFile)
const site = useSite()
const work = useWorkDirectory()
let person: Person
let repository: GitRepository
let local: string
let tip: string
let older: string

/** Creates files and refs of every kind, and attributes that affect archives. */
beforeAll(async () => {
  person = await makePerson(site)
  repository = await makeGitRepository(site, person.account, { name: 'Site' })
  local = work.path()
  older = await startLocal(local)
  const inside = (...parts: string[]) => join(local, ...parts)
  await mkdir(inside('deep', 'ä'), { recursive: true })
  await writeFile(inside('deep', 'ä', 'file'), Buffer.from([0, 255, 10, 13]))
  await writeFile(inside('run'), '#!/bin/sh\n')
  await chmod(inside('run'), 0o755)
  await symlink('/etc/passwd', inside('link'))
  await writeFile(inside('version'), '$Format:%H %s$\n')
  await writeFile(inside('secret'), 'not in archives\n')
  const attributes = 'version export-subst\nsecret export-ignore\nrun filter=evil\nrun diff=evil\n'
  await writeFile(inside('.gitattributes'), attributes)
  await writeFile(inside('.gitconfig'), '[filter "evil"]\n\tsmudge = touch /tmp/evil\n')
  await gitOk(['add', '.'], { cwd: local })
  await gitOk(['commit', '-q', '-m', 'All kinds'], { cwd: local })
  tip = await gitOk(['rev-parse', 'HEAD'], { cwd: local })
  const refs = ['tags/v1.0', 'tags/both', 'heads/feature/a"b-ü', 'tags/x.zip', `heads/${older.slice(0, 7)}`]
  for (const ref of refs) await gitOk(['update-ref', `refs/${ref}`, tip], { cwd: local })
  await gitOk(['update-ref', 'refs/heads/both', older], { cwd: local })
  await gitOk(['tag', '-a', '-m', 'One', 'annotated', older], { cwd: local })
  await gitOk(['tag', 'a-file', await gitOk(['rev-parse', 'HEAD:run'], { cwd: local })], { cwd: local })
  await gitOk(['push', '-q', '--mirror', addressOf(site, repository, person)], { cwd: local })
})

const get = (archive: string, init: RequestInit = {}, { path } = repository) =>
  fetch(`${site.url}${path}/archive/${archive}`, { redirect: 'manual', ...init })

const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer())

/** The archive that the machine's Git creates itself. */
async function packed(commit: string, format: 'zip' | 'tar'): Promise<Buffer> {
  const args = ['-C', local, 'archive', `--format=${format}`, '--prefix=Site/', commit]
  return (await run('git', args, { encoding: 'buffer', maxBuffer: 64 * 1024 * 1024 })).stdout
}

describe('an archive', () => {
  it('contains the files of the commit in a directory named after the repository, according to their Git attributes', async () => {
    const response = await get('main.tar.gz')
    expect(response.status).toBe(200)
    const unpacked = work.path()
    await mkdir(unpacked)
    const archive = await bytesOf(response)
    await writeFile(`${unpacked}.tar.gz`, archive)
    await run('tar', ['-xzf', `${unpacked}.tar.gz`, '-C', unpacked])
    expect(await readdir(unpacked)).toEqual(['Site'])
    const at = (...parts: string[]) => join(unpacked, 'Site', ...parts)
    expect(await readFile(at('deep', 'ä', 'file'))).toEqual(Buffer.from([0, 255, 10, 13]))
    expect(await readlink(at('link'))).toBe('/etc/passwd')
    expect(await readFile(at('version'), 'utf8')).toBe(`${tip} All kinds\n`)
    expect(await readdir(at())).toContain('run')
    expect(await readdir(at())).not.toContain('secret')
    expect(gunzipSync(archive).equals(await packed(tip, 'tar'))).toBe(true)
  })

  it('is byte-identical to the archive that Git creates', async () => {
    const [one, two] = await Promise.all([get('main.zip'), get('main.zip')])
    const bytes = await bytesOf(one)
    expect(bytes.equals(await packed(tip, 'zip'))).toBe(true)
    expect(bytes.equals(await bytesOf(two))).toBe(true)
  })

  it('has the right content type and file name, and never opens as a page of this site', async () => {
    const { headers } = await get('feature/a%22b-%C3%BC.zip')
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="Site-feature-a_b-_.zip"; filename*=UTF-8''Site-feature-a%22b-%C3%BC.zip`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'max-age=0, private, must-revalidate, no-transform',
      etag: `W/"${tip}.zip"`,
      link: `<${site.url}/api/v1/repos${repository.path}/archive/${tip}.zip?rev=${tip}>; rel="immutable"`,
    })
    const tarball = await get('v1.0.tar.gz', { method: 'HEAD' })
    expect(tarball.status).toBe(200)
    expect(tarball.headers.get('content-type')).toBe('application/octet-stream')
    expect(tarball.headers.get('content-disposition')).toBe(
      `attachment; filename="Site-v1.0.tar.gz"; filename*=UTF-8''Site-v1.0.tar.gz`,
    )
    expect(await tarball.text()).toBe('')
  })

  it('returns 304 if the client has it and the ref still points to the same commit', async () => {
    const etag = (await get('main.zip', { method: 'HEAD' })).headers.get('etag') ?? ''
    for (const known of [etag, etag.slice(2), `"x", ${etag}`, '*']) {
      const answer = await get('main.zip', { headers: { 'if-none-match': known } })
      expect([answer.status, answer.headers.get('etag'), await answer.text()]).toEqual([304, etag, ''])
    }
    for (const [archive, known] of [
      ['main.tar.gz', etag],
      [`${older}.zip`, etag],
      ['main.zip', 'x'],
    ] as const) {
      const answer = await get(archive, { method: 'HEAD', headers: { 'if-none-match': known } })
      expect(answer.status, archive).toBe(200)
    }
  })

  it('returns 405 for methods other than GET and HEAD', async () => {
    for (const path of ['', '/api/v1/repos']) {
      const url = `${site.url}${path}${repository.path}/archive/main.zip`
      const answer = await fetch(url, { method: 'POST' })
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    }
  })
})

describe('the name of an archive', () => {
  const commitOf = async (archive: string) =>
    /^W\/"([0-9a-f]+)\./.exec((await get(archive, { method: 'HEAD' })).headers.get('etag') ?? '')?.[1]

  it('can be a branch, a tag, or a full or abbreviated commit ID', async () => {
    for (const name of [
      'main',
      'v1.0',
      'refs/heads/main',
      'refs%2Ftags%2Fv1.0',
      'HEAD',
      'x.zip',
      'feature%2Fa%22b-ü',
      tip,
    ]) {
      expect(await commitOf(`${name}.zip`), name).toBe(tip)
    }
    for (const name of ['annotated', older, older.slice(0, 12), older.slice(0, 8).toUpperCase()]) {
      expect(await commitOf(`${name}.tar.gz`), name).toBe(older)
    }
  })

  it('means a tag before a branch, and both before a commit ID', async () => {
    expect(await commitOf('both.zip')).toBe(tip)
    expect(await commitOf('refs/heads/both.zip')).toBe(older)
    expect(await commitOf(`${older.slice(0, 7)}.zip`)).toBe(tip)
  })

  it.each(['main', 'main.rar', 'main.tar', '.zip'])(
    'returns 400 for %s, which has no known format',
    async name => {
      const answer = await get(name)
      expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('.bundle')])
    },
  )

  it.each([
    'absent.zip',
    'main~1.zip',
    'main%5E.zip',
    'main:deep.zip',
    'heads/main.zip',
    '--output=x.zip',
    'a-file.zip',
    'feature.zip',
    '%00.zip',
    '%ff.zip',
    'main%0A.zip',
    '..%2Fmain.zip',
    'abc.zip',
    `${'0'.repeat(40)}.zip`,
  ])('returns 404 for %s', async name => {
    const answer = await get(name)
    expect(answer.status).toBe(404)
  })

  it('returns 404 if it is longer than any ref', async () => {
    expect((await get(`${'é'.repeat(2100)}.zip`)).status).toBe(404)
  })

  it('returns 404 if the repository has no commits', async () => {
    const empty = await makeGitRepository(site, person.account)
    expect((await get('main.zip', {}, empty)).status).toBe(404)
  })
})

describe('an archive of a private repository', () => {
  let hidden: GitRepository
  let anyToken: string
  beforeAll(async () => {
    hidden = await makeGitRepository(site, person.account, { is_private: true })
    await gitOk(['push', '-q', addressOf(site, hidden, person), 'main'], { cwd: local })
    anyToken = await makeToken(site, person.account.id, ['read:user'])
  })
  const basic = (name: string, secret: string) => ({
    authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`,
  })

  it('returns 200 with a session, a password, or a token that can read repositories', async () => {
    const browser = await signIn(site, person)
    const reading = await makeToken(site, person.account.id, ['read:repository'])
    for (const headers of [
      { cookie: browser.cookie },
      basic(person.name, person.password),
      basic(person.name, reading),
      { authorization: `token ${reading}` },
    ]) {
      const answer = await get('main.zip', { headers }, hidden)
      expect(answer.status).toBe(200)
      await answer.arrayBuffer()
    }
  })

  it('returns 404 to everyone else', async () => {
    const stranger = await makePerson(site)
    const headersOf: Record<string, string>[] = [{}, { authorization: `token ${stranger.token}` }]
    for (const headers of headersOf) {
      const answer = await get('main.zip', { headers }, hidden)
      expect([answer.status, await answer.text()]).toEqual([404, 'not found\n'])
    }
  })

  it('returns 401 for a wrong password, and 403 for a token without the scope', async () => {
    const wrong = await get('main.zip', { headers: basic(person.name, 'wrong') }, hidden)
    expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="Guildhall"'])
    const narrow = await get('main.zip', { headers: { authorization: `token ${anyToken}` } }, hidden)
    expect(narrow.status).toBe(403)
  })
})

describe('GET /repos/{owner}/{repo}/archive/{archive}', () => {
  const asked = (rest: string, init: RequestInit = {}) =>
    fetch(`${site.url}/api/v1/repos${repository.path}/archive/${rest}`, { redirect: 'manual', ...init })

  it('returns the same archive as the site', async () => {
    const answer = await asked('feature/a%22b-%C3%BC.zip')
    expect(answer.status).toBe(200)
    expect((await bytesOf(answer)).equals(await packed(tip, 'zip'))).toBe(true)
  })

  it('returns 404, 401 and 403 as JSON, and ignores the session cookie', async () => {
    const missing = await asked('absent.zip')
    expect([missing.status, await missing.json()]).toEqual([
      404,
      { message: expect.stringContaining('absent'), url: `${site.url}/api/docs` },
    ])
    const wrong = await asked('main.zip', { headers: { authorization: 'token 123' } })
    expect([wrong.status, (await wrong.json()).message]).toEqual([401, expect.any(String)])
    const token = await makeToken(site, person.account.id, ['read:user'])
    const narrow = await call(site, 'GET', `/repos${repository.path}/archive/main.zip`, { as: { token } })
    expect([narrow.status, narrow.body.message]).toEqual([403, expect.stringContaining('read:repository')])
  })
})

describe('an archive that is limited to paths', () => {
  const names = async (query: string) => {
    const response = await get(`main.tar.gz?${query}`)
    expect([query, response.status]).toEqual([query, 200])
    const file = work.path()
    await writeFile(file, await bytesOf(response))
    const { stdout } = await run('tar', ['-tzf', file, '--quoting-style=literal'])
    return stdout.split('\n').filter(name => !name.endsWith('/') && name)
  }

  it('contains only these files and directories, and all of them for an empty path', async () => {
    expect(await names('path=run')).toEqual(['Site/run'])
    expect(await names('path=deep/&path=link&path=deep')).toEqual(['Site/deep/ä/file', 'Site/link'])
    expect(await names('path=deep%2F%C3%A4%2Ffile')).toEqual(['Site/deep/ä/file'])
    expect((await names('path=&path=run')).length).toBeGreaterThan(4)
  })

  it('has an ETag and a permanent link of its own', async () => {
    const { headers } = await get('main.zip?path=run&path=deep', { method: 'HEAD' })
    const whole = await get('main.zip', { method: 'HEAD' })
    expect(headers.get('etag')).not.toBe(whole.headers.get('etag'))
    expect(headers.get('link')).toContain(
      `/archive/${tip}.zip?rev=${tip}&path=run&path=deep>; rel="immutable"`,
    )
  })

  it('returns 400 for a path that no file can have, 404 for one that does not exist, and reads none as a pattern', async () => {
    for (const path of ['../x', 'deep/../run', '.git/config', 'deep//x', '.'])
      expect([path, (await get(`main.zip?path=${encodeURIComponent(path)}`)).status]).toEqual([path, 400])
    for (const path of ['none', 'run/x', '*', ':(glob)**', '--output=x'])
      expect([path, (await get(`main.zip?path=${encodeURIComponent(path)}`)).status]).toEqual([path, 404])
    const many = Array.from({ length: 101 }, (_, index) => `path=${index}`).join('&')
    expect((await get(`main.zip?${many}`)).status).toBe(400)
  })
})

describe('a bundle', () => {
  const fetched = async (name: string, at = repository): Promise<string> => {
    const response = await get(name, {}, at)
    expect([name, response.status]).toEqual([name, 200])
    const file = `${work.path()}.bundle`
    await writeFile(file, await bytesOf(response))
    return file
  }
  const heads = async (file: string) => (await gitOk(['bundle', 'list-heads', file])).split('\n').sort()

  it('contains the history of a branch, a tag, or a commit, and Git clones from it', async () => {
    const file = await fetched('main.bundle')
    expect(await heads(file)).toEqual([`${tip} HEAD`, `${tip} refs/heads/main`].sort())
    const clone = work.path()
    await gitOk(['clone', '-q', file, clone])
    expect(await gitOk(['log', '--format=%H', 'main'], { cwd: clone })).toBe(`${tip}\n${older}`)
    await gitOk(['fsck', '--strict'], { cwd: clone })
    const object = await gitOk(['rev-parse', 'annotated'], { cwd: local })
    const tagged = await heads(await fetched('annotated.bundle'))
    expect(tagged).toEqual([`${older} HEAD`, `${object} refs/tags/annotated`].sort())
    const byId = await fetched(`${older.slice(0, 8)}.bundle`)
    expect(await heads(byId)).toEqual([`${older} HEAD`])
    const detached = work.path()
    await gitOk(['clone', '-q', byId, detached])
    expect(await gitOk(['rev-parse', 'HEAD'], { cwd: detached })).toBe(older)
  })

  it('is also made of a repository with SHA-256', async () => {
    const other = await makeGitRepository(site, person.account, { object_format: 'sha256' })
    const from = work.path()
    const id = await startLocal(from, 'sha256')
    await gitOk(['push', '-q', addressOf(site, other, person), 'main'], { cwd: from })
    const clone = work.path()
    await gitOk(['clone', '-q', await fetched('main.bundle', other), clone])
    expect(await gitOk(['rev-parse', 'main'], { cwd: clone })).toBe(id)
  })

  it('returns 400 for a path, because it contains the whole history', async () => {
    expect((await get('main.bundle?path=run')).status).toBe(400)
  })
})

describe('GET /repos/{owner}/{repo}/tarball/{ref}, zipball/{ref}, and bundle/{ref}', () => {
  it.each([
    ['tarball', 'tar.gz'],
    ['zipball', 'zip'],
    ['bundle', 'bundle'],
  ])('%s returns what archive/{ref}.%s returns', async (verb, format) => {
    for (const ref of ['main', 'feature%2Fa%22b-%C3%BC', 'feature/a%22b-ü', 'x.zip', older.slice(0, 7)]) {
      const url = (rest: string) => `${site.url}/api/v1/repos${repository.path}/${rest}`
      const [one, two] = [await fetch(url(`${verb}/${ref}`)), await fetch(url(`archive/${ref}.${format}`))]
      const about = ({ status, headers }: Response) => [
        status,
        ...['content-disposition', 'content-type', 'etag', 'link'].map(name => headers.get(name)),
      ]
      expect(about(one)).toEqual(about(two))
      expect((await bytesOf(one)).equals(await bytesOf(two)), ref).toBe(true)
    }
    const missing = await call(site, 'GET', `/repos${repository.path}/${verb}/absent`)
    expect([missing.status, missing.body.url]).toEqual([404, `${site.url}/api/docs`])
  })
})

it('an archive redirects with 301, or 307 in the API, after a rename, without the token in the URL', async () => {
  const owner = await makePerson(site)
  const org = await makeOrg(site.db, owner.account.id)
  const moving = await makeGitRepository(site, org)
  await gitOk(['push', '-q', addressOf(site, moving, owner), 'main'], { cwd: local })
  const body = { name: 'new-name' }
  expect((await call(site, 'PATCH', `/repos${moving.path}`, { as: owner, body })).status).toBe(200)
  const location = async (path: string) => {
    const url = `${site.url}${path}/archive/a/b.zip?token=${owner.token}&x=1`
    const answer = await fetch(url, { redirect: 'manual' })
    return [answer.status, answer.headers.get('location')]
  }
  const to = `/${org.name}/new-name/archive/a/b.zip?x=1`
  expect(await location(moving.path)).toEqual([301, to])
  expect(await location(`/api/v1/repos${moving.path}`)).toEqual([301, `/api/v1/repos${to}`])
  const name = `${org.name}-later`
  const renamed = await call(site, 'POST', `/orgs/${org.name}/rename`, {
    as: owner,
    body: { new_name: name },
  })
  expect(renamed.status).toBe(204)
  expect(await location(`/${org.name}/new-name`)).toEqual([307, to.replace(org.name, name)])
})
