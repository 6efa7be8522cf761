import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { git, gitOk } from '@/testing/git'
import {
  addressOf,
  makeCommittedRepository,
  makeGitRepository,
  recordedEvents,
  refsOf,
  startLocal,
  useWorkDirectory,
} from '@/testing/git-repository'
import { makePerson } from '@/testing/people'
import { mount, useSite } from '@/testing/site'

const site = useSite()
const zeros = '0'.repeat(40)

describe.skipIf(mount === 'next')('a push of a ref name that is not valid UTF-8', () => {
  const work = useWorkDirectory()

  /** A push of a commit that is there, as Git sends it: each name by its bytes, and what it shall lead to. */
  async function push(
    prepared: Awaited<ReturnType<typeof prepare>>,
    updates: readonly (readonly [string, string, string])[],
  ) {
    const packets = updates.map(([before, after, name], index) => {
      const text = Buffer.from(`${before} ${after} ${name}${index === 0 ? '\0report-status' : ''}`, 'latin1')
      return Buffer.concat([Buffer.from((text.length + 4).toString(16).padStart(4, '0')), text])
    })
    const emptyPack = await gitOkBytes(prepared.local)
    const brings = updates.some(([, after]) => after !== zeros)
    const response = await fetch(`${addressOf(site, prepared.repository)}/git-receive-pack`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${prepared.person.name}:${prepared.person.password}`).toString('base64')}`,
        'content-type': 'application/x-git-receive-pack-request',
      },
      body: Buffer.concat([...packets, Buffer.from('0000'), ...(brings ? [emptyPack] : [])]),
    })
    return Buffer.from(await response.arrayBuffer()).toString('latin1')
  }

  // A pack with nothing in it.
  async function gitOkBytes(local: string): Promise<Buffer> {
    const name = (await gitOk(['pack-objects', '-q', 'empty'], { cwd: local, input: '' })).trim()
    return await readFile(join(local, `empty-${name}.pack`))
  }

  async function prepare() {
    const person = await makePerson(site)
    const repository = await makeGitRepository(site, person.account)
    const local = work.path()
    const tip = await startLocal(local)
    await gitOk(['push', '-q', addressOf(site, repository, person), 'main'], { cwd: local })
    return { person, repository, local, tip }
  }

  it.each([
    ['refs/heads/caf\xe9', 'caf\\xe9'],
    ['refs/tags/v\xff', 'v\\xff'],
    ['refs/notes/\xed\xa0\x80', '\\xed\\xa0\\x80'],
  ])('is refused as a whole, with the bytes of the name in the message: %j', async (name, message) => {
    const prepared = await prepare()
    const { repository, tip, local, person } = prepared
    const answer = await push(prepared, [
      [zeros, tip, 'refs/heads/good'],
      [zeros, tip, name],
    ])
    expect(answer).toContain('pre-receive hook declined')
    expect(await refsOf(repository)).toEqual({ 'refs/heads/main': tip })
    const remote = addressOf(site, repository, person)
    const { code, stderr } = await gitWithBytes(['push', remote, `main:${name}`], local)
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${message} is not UTF-8.`)])
  })

  // Arguments of programs are text here: a shell gives them their bytes.
  async function gitWithBytes(args: readonly string[], cwd: string) {
    const octal = (text: string) =>
      [...Buffer.from(text, 'latin1')].map(byte => `\\${byte.toString(8).padStart(3, '0')}`).join('')
    const words = args.map(arg => `"$(printf '${octal(arg)}')"`).join(' ')
    const child = spawn('sh', ['-c', `git ${words}`], { cwd, env: { ...process.env, LC_ALL: 'C' } })
    let stderr = ''
    child.stderr.on('data', chunk => (stderr += chunk))
    const [code] = await once(child, 'close')
    return { code, stderr }
  }

  it('is refused, as is a branch named HEAD, which would be ambiguous', async () => {
    const { repository, local, person, tip } = await prepare()
    const { stderr } = await git(['push', addressOf(site, repository, person), 'main:refs/heads/HEAD'], {
      cwd: local,
    })
    expect(stderr).toContain('a branch cannot be named HEAD')
    expect(await refsOf(repository)).toEqual({ 'refs/heads/main': tip })
  })

  it('can delete existing refs, and is recorded with their displayed name', async () => {
    const prepared = await prepare()
    const { repository, tip } = prepared
    await makeBytes(repository.directory, ['refs/heads/caf\xe9'], tip)
    expect(await push(prepared, [[tip, zeros, 'refs/heads/caf\xe9']])).toContain('ok refs/heads/caf')
    expect(Object.keys(await refsOf(repository))).toEqual(['refs/heads/main'])
    expect((await recordedEvents(site, repository)).at(-1)).toMatchObject({
      kind: 'ref.deleted',
      facts: { ref: 'refs/heads/caf%E9', sha: tip },
    })
  })
})

/** Makes refs past the product, as earlier versions let them be pushed. */
async function makeBytes(directory: string, names: readonly string[], id: string): Promise<void> {
  const child = spawn('git', ['--git-dir', directory, 'update-ref', '--stdin'])
  child.stdin.end(Buffer.from(names.map(name => `create ${name} ${id}\n`).join(''), 'latin1'))
  const [code] = await once(child, 'close')
  expect(code).toBe(0)
}

describe('branches and tags whose names are not valid UTF-8', () => {
  async function prepare() {
    const ada = await makePerson(site)
    const repository = await makeCommittedRepository(site, ada.account, { branch_count: 4, tag_count: 1 })
    const names = ['refs/heads/caf\xe9', 'refs/heads/caf\xe8', 'refs/heads/\xc3\xa9/\xff', 'refs/tags/v\xff']
    await makeBytes(repository.directory, names, repository.commit)
    const ask = (method: 'GET' | 'DELETE', rest: string) =>
      call(site, method, `/repos${repository.path}/${rest}`, { as: ada })
    const listed = async (kind: string) =>
      (await ask('GET', kind)).body.map(({ name }: { name: string }) => name).sort()
    return { ada, repository, ask, listed }
  }

  it('are listed separately by their bytes', async () => {
    const { listed } = await prepare()
    expect(await listed('branches')).toEqual(['caf%E8', 'caf%E9', 'main', 'é/%FF'])
    expect(await listed('tags')).toEqual(['v%FF'])
  })

  it.each([
    ['branches/caf%e9', 'caf%E9'],
    ['branches/caf%25E9', 'caf%E9'],
    ['branches/%C3%A9/%FF', 'é/%FF'],
    ['tags/v%FF', 'v%FF'],
  ])('are found and deleted by their escaped bytes: %s', async (path, name) => {
    const { ask, listed, repository } = await prepare()
    expect(await ask('GET', path)).toMatchObject({ status: 200, body: { name } })
    expect((await ask('DELETE', path)).status).toBe(204)
    expect((await ask('GET', path)).status).toBe(404)
    expect(await listed(path.split('/')[0] ?? '')).not.toContain(name)
    const left = await gitOk(['for-each-ref'], { cwd: repository.directory })
    expect(left.split('\n')).toHaveLength(4)
  })

  it('cannot become default branches or releases under a name that only looks the same', async () => {
    const { ada, ask, repository, listed } = await prepare()
    const edit = await call(site, 'PATCH', `/repos${repository.path}`, {
      as: ada,
      body: { default_branch: 'caf%E9' },
    })
    expect(edit.status).toBe(422)
    const release = await call(site, 'POST', `/repos${repository.path}/releases`, {
      as: ada,
      body: { tag_name: 'v%FF' },
    })
    expect(release.status).toBe(422)
    expect(await listed('tags')).toEqual(['v%FF'])
    expect((await ask('GET', 'branches/main')).status).toBe(200)
  })
})
