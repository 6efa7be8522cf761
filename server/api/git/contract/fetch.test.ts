import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { git, gitOk } from '@/testing/git'
import {
  addressOf,
  commit,
  type GitRepository,
  makeGitRepository,
  startLocal,
  useWorkDirectory,
} from '@/testing/git-repository'
import { makePerson, makeToken, type Person } from '@/testing/people'
import { series } from '@/testing/series'
import { mount, useSite } from '@/testing/site'

const noiseMiB = series(8, 50)

describe.skipIf(mount === 'next')('a fetch over HTTP', () => {
  const site = useSite()
  const work = useWorkDirectory()

  async function filled(
    overrides: Parameters<typeof makeGitRepository>[2] = {},
    commits = 1,
  ): Promise<{ person: Person; repository: GitRepository; local: string; tip: string }> {
    const person = await makePerson(site)
    const repository = await makeGitRepository(site, person.account, overrides)
    const local = work.path()
    let tip = await startLocal(local)
    for (let made = 1; made < commits; made++) tip = await commit(local)
    await gitOk(['push', '-q', addressOf(site, repository, person), 'main'], { cwd: local })
    return { person, repository, local, tip }
  }

  const head = (directory: string) => gitOk(['rev-parse', 'HEAD'], { cwd: directory })

  it('of an empty repository gives an empty clone on its default branch', async () => {
    const person = await makePerson(site)
    const repository = await makeGitRepository(site, person.account, { default_branch: 'trunk' })
    const copy = work.path()
    const { code, stderr } = await git(['clone', addressOf(site, repository), copy])
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('cloned an empty repository'),
    })
    expect(await gitOk(['symbolic-ref', 'HEAD'], { cwd: copy })).toBe('refs/heads/trunk')
  })

  it.each(['0', '1', '2'])('speaks version %s of the protocol', async version => {
    const { repository, tip } = await filled()
    const copy = work.path()
    const settings = { 'protocol.version': version }
    await gitOk(['clone', '-q', addressOf(site, repository), copy], { settings })
    expect(await head(copy)).toBe(tip)
  })

  it('works without .git in the URL, and ignores case', async () => {
    const { repository, tip } = await filled()
    const copy = work.path()
    await gitOk(['clone', '-q', `${site.url}${repository.path.toUpperCase()}`, copy])
    expect(await head(copy)).toBe(tip)
  })

  it('of a private repository accepts a password, and a token in each supported position', async () => {
    const { person, repository, tip } = await filled({ is_private: true })
    const token = await makeToken(site, person.account.id, ['read:repository'])
    const addresses = [
      addressOf(site, repository, { basic: [person.name, person.password] }),
      addressOf(site, repository, { basic: [person.name, token] }),
      addressOf(site, repository, { basic: [token, 'x-oauth-basic'] }),
      addressOf(site, repository, { token }),
    ]
    for (const address of addresses) {
      expect(await gitOk(['ls-remote', address, 'refs/heads/main'])).toContain(tip)
    }
    for (const authorization of [`token ${token}`, `Bearer ${token}`]) {
      const listed = await gitOk(['ls-remote', addressOf(site, repository), 'main'], { authorization })
      expect(listed).toContain(tip)
    }
  })

  it('can be shallow, and deepened later', async () => {
    const { repository, tip } = await filled({}, 4)
    const copy = work.path()
    await gitOk(['clone', '-q', '--depth=1', addressOf(site, repository), copy])
    expect(await head(copy)).toBe(tip)
    expect(await gitOk(['rev-list', '--count', 'HEAD'], { cwd: copy })).toBe('1')
    await gitOk(['fetch', '-q', '--unshallow'], { cwd: copy })
    expect(await gitOk(['rev-list', '--count', 'HEAD'], { cwd: copy })).toBe('4')
  })

  it.each(['0', '2'])(
    'can be partial in protocol version %s, with files fetched when needed',
    async version => {
      const { repository } = await filled({}, 2)
      const copy = work.path()
      const settings = { 'protocol.version': version }
      const clone = ['clone', '-q', '--filter=blob:none', '--no-checkout', addressOf(site, repository), copy]
      await gitOk(clone, { settings })
      const missing = await gitOk(['rev-list', '--objects', '--missing=print', 'HEAD'], { cwd: copy })
      expect(missing).toMatch(/^\?/m)
      await gitOk(['checkout', '-q', 'main'], { cwd: copy, settings })
      expect(await gitOk(['status', '--short'], { cwd: copy })).toBe('')
    },
  )

  it('transfers only the commits since the last fetch', async () => {
    const { person, repository, local } = await filled()
    const copy = work.path()
    await gitOk(['clone', '-q', addressOf(site, repository), copy])
    const tip = await commit(local)
    await gitOk(['push', '-q', addressOf(site, repository, person), 'main'], { cwd: local })
    await gitOk(['fetch', '-q', 'origin'], { cwd: copy })
    expect(await gitOk(['rev-parse', 'origin/main'], { cwd: copy })).toBe(tip)
  })

  it(`returns ${noiseMiB} MiB of random bytes exactly as they were pushed`, {
    tags: 'series',
    timeout: 120_000,
  }, async () => {
    const person = await makePerson(site)
    const repository = await makeGitRepository(site, person.account, { is_private: true })
    const local = work.path()
    await gitOk(['init', '-q', local])
    const noise = randomBytes(noiseMiB * 1024 ** 2)
    await writeFile(join(local, 'noise'), noise)
    const settings = { 'core.compression': '0' }
    await gitOk(['add', 'noise'], { cwd: local, settings })
    await gitOk(['commit', '-q', '-m', 'Noise'], { cwd: local })
    const remote = addressOf(site, repository, { token: person.token })
    await gitOk(['push', '-q', remote, 'main'], { cwd: local, settings })
    const copy = work.path()
    await gitOk(['clone', '-q', remote, copy])
    expect(noise.equals(await readFile(join(copy, 'noise')))).toBe(true)
    const row = await site.db
      .selectFrom('repositories')
      .select('size_kib')
      .where('id', '=', repository.id)
      .executeTakeFirstOrThrow()
    expect(row.size_kib).toBeGreaterThanOrEqual(noiseMiB * 1024)
  })
})
