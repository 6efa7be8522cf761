import { randomBytes } from 'node:crypto'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeDeployKey } from '@/db/testing/factories'
import { parsePublicKey } from '@/server/keys/ssh/parse'
import { git, gitOk } from '@/testing/git'
import {
  commit,
  makeGitRepository,
  recordedEvents,
  refsOf,
  rowOf,
  startLocal,
  useWorkDirectory,
} from '@/testing/git-repository'
import { makePerson } from '@/testing/people'
import { series } from '@/testing/series'
import { useSite } from '@/testing/site'
import { addGeneratedKey, generateKey, hasSsh, useSsh } from '@/testing/ssh'

const mebibytes = Number(process.env.GUILDHALL_TEST_UPLOAD_MIB ?? series(8, 50))

const site = useSite()
const ssh = useSsh(site)
const work = useWorkDirectory()

async function prepare() {
  const person = await makePerson(site)
  const repository = await makeGitRepository(site, person.account)
  const { file } = await addGeneratedKey(site, ssh, person)
  const local = work.path()
  const first = await startLocal(local)
  return {
    person,
    repository,
    local,
    first,
    remote: ssh.address(repository.path),
    settings: ssh.settings(file),
    file,
  }
}

describe.skipIf(!hasSsh)('Git over SSH', () => {
  it('greets a client that requests a shell with the names of the account and the key', async () => {
    const { person, file } = await prepare()
    const { code, stderr } = await ssh.run(file, 'anything@127.0.0.1')
    expect(stderr).toContain(`Hi ${person.name}! You are signed in with the key “`)
    expect(code).toBe(0)
  })

  it.each(['0', '1', '2'])('supports push, clone, and fetch with protocol version %s', async version => {
    const { repository, local, first, remote, settings: own } = await prepare()
    const settings = { ...own, 'protocol.version': version }
    await gitOk(['push', '-q', remote, 'main'], { cwd: local, settings })
    expect(await refsOf(repository)).toEqual({ 'refs/heads/main': first })
    expect(await recordedEvents(site, repository)).toHaveLength(2)
    const clone = work.path()
    await gitOk(['clone', '-q', remote, clone], { settings })
    expect(await gitOk(['rev-parse', 'HEAD'], { cwd: clone })).toBe(first)
    const second = await commit(local, 'Second')
    await gitOk(['tag', '-a', '-m', 'One', 'v1'], { cwd: local })
    await gitOk(['push', '-q', '--follow-tags', remote, 'main'], { cwd: local, settings })
    await gitOk(['fetch', '-q', '--tags'], { cwd: clone, settings })
    expect(await gitOk(['rev-parse', 'origin/main', 'v1^{commit}'], { cwd: clone })).toBe(
      `${second}\n${second}`,
    )
    await gitOk(['push', '-q', remote, ':refs/tags/v1'], { cwd: local, settings })
    expect(await refsOf(repository)).toEqual({ 'refs/heads/main': second })
    expect((await git(['push', remote, 'main'], { cwd: local, settings })).stderr).toContain('up-to-date')
  })

  it('supports shallow and partial clones that fetch the rest later', async () => {
    const { repository, local, remote, settings } = await prepare()
    await writeFile(join(local, 'large.bin'), randomBytes(100_000))
    await gitOk(['add', '.'], { cwd: local })
    const second = await commit(local, 'Large')
    await gitOk(['push', '-q', remote, 'main'], { cwd: local, settings })
    const [shallow, partial] = [work.path(), work.path()]
    await gitOk(['clone', '-q', '--depth=1', remote, shallow], { settings })
    expect(await gitOk(['rev-list', '--count', 'HEAD'], { cwd: shallow })).toBe('1')
    await gitOk(['fetch', '-q', '--unshallow'], { cwd: shallow, settings })
    expect(await gitOk(['rev-list', '--count', 'HEAD'], { cwd: shallow })).toBe('2')
    for (const version of ['0', '2']) {
      const path = `${partial}-${version}`
      const all = { ...settings, 'protocol.version': version }
      await gitOk(['clone', '-q', '--no-checkout', '--filter=blob:none', remote, path], { settings: all })
      await gitOk(['checkout', '-q', 'main'], { cwd: path, settings: all })
      expect(await gitOk(['rev-parse', 'HEAD'], { cwd: path })).toBe(second)
    }
    expect(Object.keys(await refsOf(repository))).toEqual(['refs/heads/main'])
  })

  it(`transfers a push and a clone of ${mebibytes} MiB`, { tags: 'series' }, async () => {
    const { local, remote, settings } = await prepare()
    await writeFile(join(local, 'large.bin'), randomBytes(mebibytes * 1024 ** 2))
    await gitOk(['add', '.'], { cwd: local })
    const large = await commit(local, 'Large')
    await gitOk(['push', '-q', remote, 'main'], { cwd: local, settings })
    const clone = work.path()
    await gitOk(['clone', '-q', remote, clone], { settings })
    expect(await gitOk(['rev-parse', 'HEAD'], { cwd: clone })).toBe(large)
  })

  it("creates archives of branches and commits, and passes on Git's own error message if it cannot", async () => {
    const { local, first, remote, settings } = await prepare()
    await gitOk(['push', '-q', remote, 'main'], { cwd: local, settings })
    const file = join(local, 'archive.tar')
    for (const commitish of ['main', first]) {
      await gitOk(['archive', `--remote=${remote}`, '--format=tar', '-o', file, commitish], { settings })
      expect((await stat(file)).size).toBeGreaterThan(1000)
    }
    const { code, stderr } = await git(['archive', `--remote=${remote}`, 'nothing'], { settings })
    expect(code).not.toBe(0)
    expect(stderr).toContain('nothing')
    expect(stderr).not.toContain('Guildhall')
  })

  it('accepts one of two concurrent pushes to a branch and rejects the other', async () => {
    const { repository, local, remote, settings } = await prepare()
    await gitOk(['push', '-q', remote, 'main'], { cwd: local, settings })
    const other = work.path()
    await gitOk(['clone', '-q', remote, other], { settings })
    const commits = [await commit(local, 'Mine'), await commit(other, 'Theirs')]
    const results = await Promise.all(
      [local, other].map(cwd => git(['push', remote, 'main'], { cwd, settings })),
    )
    const winner = results.findIndex(({ code }) => code === 0)
    expect(results.filter(({ code }) => code === 0)).toHaveLength(1)
    expect(await refsOf(repository)).toEqual({ 'refs/heads/main': commits[winner] })
    expect(await recordedEvents(site, repository)).toHaveLength(3)
  })

  it('finds a renamed repository and prints its new address', async () => {
    const { repository, local, remote, settings } = await prepare()
    await gitOk(['push', '-q', remote, 'main'], { cwd: local, settings })
    const name = `${repository.name}-2`
    const { owner_id } = await rowOf(site, repository)
    await site.db.updateTable('repositories').set({ name }).where('id', '=', repository.id).execute()
    await site.db
      .insertInto('repository_redirects')
      .values({ owner_id, name: repository.name.toLowerCase(), repository_id: repository.id })
      .execute()
    const { code, stderr } = await git(['ls-remote', remote], { settings })
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(`This repository is now at .*/${name}\\.git\n`),
    })
  })
})

describe.skipIf(!hasSsh)('Git over SSH refuses', () => {
  const notFound = 'Guildhall: Repository not found.'
  const messages = async (remote: string, settings: Record<string, string>) => {
    const { code, stderr } = await git(['ls-remote', remote], { settings })
    expect(code).not.toBe(0)
    return stderr.split('\n')[0]
  }

  it('absent and hidden repositories with the same message', async () => {
    const { remote } = await prepare()
    const stranger = await makePerson(site)
    const { file } = await addGeneratedKey(site, ssh, stranger)
    const settings = ssh.settings(file)
    const hidden = await makeGitRepository(site, (await makePerson(site)).account, { is_private: true })
    expect(await messages(ssh.address(hidden.path), settings)).toBe(notFound)
    expect(await messages(ssh.address('/nobody/nothing'), settings)).toBe(notFound)
    const form = 'Guildhall: This is not a valid repository path. Use /OWNER/NAME.git.'
    expect(await messages(ssh.address('/etc'), settings)).toBe(form)
    expect(await git(['ls-remote', remote], { settings })).toMatchObject({ code: 0 })
  })

  it('a push without write access, to an archived repository, or by a restricted account', async () => {
    const { repository, local, remote, person, settings } = await prepare()
    const push = (as: Record<string, string>) => git(['push', remote, 'main'], { cwd: local, settings: as })
    const reader = await addGeneratedKey(site, ssh, await makePerson(site))
    expect((await push(ssh.settings(reader.file))).stderr).toContain(
      'You can read this repository but cannot push to it.',
    )
    const archive = { archived_at: new Date() }
    await site.db.updateTable('repositories').set(archive).where('id', '=', repository.id).execute()
    expect((await push(settings)).stderr).toContain('This repository is archived')
    await site.db
      .updateTable('repositories')
      .set({ archived_at: null })
      .where('id', '=', repository.id)
      .execute()
    const due = { must_change_password: true }
    await site.db.updateTable('users').set(due).where('id', '=', person.account.id).execute()
    expect((await push(settings)).stderr).toContain('You must change your password.')
    expect(await refsOf(repository)).toEqual({})
  })

  it('a push with a read-only deploy key, and access with it to other private repositories', async () => {
    const { repository, local, remote, settings, person } = await prepare()
    await gitOk(['push', '-q', remote, 'main'], { cwd: local, settings })
    await site.db
      .updateTable('repositories')
      .set({ is_private: true })
      .where('id', '=', repository.id)
      .execute()
    const other = await makeGitRepository(site, person.account, { is_private: true })
    const { file, publicKey } = await generateKey(ssh.directory)
    const { content, fingerprint } = parsePublicKey(publicKey)
    const key = await makeDeployKey(site.db, [repository])
    await site.db.updateTable('public_keys').set({ content, fingerprint }).where('id', '=', key.id).execute()
    const deploy = ssh.settings(file)
    expect(await git(['ls-remote', remote], { settings: deploy })).toMatchObject({ code: 0 })
    const { stderr } = await git(['push', remote, 'main:other'], { cwd: local, settings: deploy })
    expect(stderr).toContain('Guildhall: This deploy key is read-only.')
    expect(await messages(ssh.address(other.path), deploy)).toBe(notFound)
    await site.db.updateTable('deploy_keys').set({ mode: 'write' }).where('key_id', '=', key.id).execute()
    await gitOk(['push', '-q', remote, 'main:other'], { cwd: local, settings: deploy })
    const use = site.db.selectFrom('deploy_keys').select('last_used_address').where('key_id', '=', key.id)
    await expect.poll(() => use.executeTakeFirst()).toEqual({ last_used_address: '127.0.0.1' })
    const { stderr: greeting } = await ssh.run(file, 'git@127.0.0.1')
    expect(greeting).toContain(`Hi! You are signed in with the deploy key ${fingerprint}.`)
  })
})
