import { randomBytes } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pushesFolder } from '@/server/repos/storage/paths'
import { git, gitOk } from '@/testing/git'
import {
  addressOf,
  commit,
  makeGitRepository,
  recordedEvents,
  refsOf,
  startLocal,
  useWorkDirectory,
} from '@/testing/git-repository'
import { makePerson } from '@/testing/people'
import { mount, useSite } from '@/testing/site'

describe.skipIf(mount === 'next')('the limit of one push', () => {
  const site = useSite({ maxPushBytes: 1024 * 1024 })
  const work = useWorkDirectory()

  it('refuses a larger push with a message of Git and keeps nothing of it, and accepts a smaller one', async () => {
    const person = await makePerson(site)
    const repository = await makeGitRepository(site, person.account)
    const local = work.path()
    const small = await startLocal(local)
    await writeFile(join(local, 'noise'), randomBytes(3 * 1024 * 1024))
    await gitOk(['add', 'noise'], { cwd: local })
    await commit(local)
    const remote = addressOf(site, repository, person)
    const { code, stderr } = await git(['push', remote, 'main'], { cwd: local })
    expect(code).not.toBe(0)
    expect(stderr).toContain('pack exceeds maximum allowed size')
    expect(await refsOf(repository)).toEqual({})
    expect(await readdir(join(repository.directory, 'objects'))).toEqual(['info', 'pack'])
    expect(await recordedEvents(site, repository)).toEqual([])
    expect(await readdir(pushesFolder(site.services.config))).toEqual([])
    await gitOk(['push', '-q', remote, 'main~1:refs/heads/main'], { cwd: local })
    expect(await refsOf(repository)).toEqual({ 'refs/heads/main': small })
  })

  it('refuses malformed objects, and keeps none of them', async () => {
    const person = await makePerson(site)
    const repository = await makeGitRepository(site, person.account)
    const local = work.path()
    await startLocal(local)
    const tree = await gitOk(['rev-parse', 'HEAD^{tree}'], { cwd: local })
    const input = `tree ${tree}\nauthor nobody\ncommitter nobody\n\nNo people\n`
    const bad = await gitOk(['hash-object', '-t', 'commit', '-w', '--literally', '--stdin'], {
      cwd: local,
      input,
    })
    await gitOk(['update-ref', 'refs/heads/bad', bad], { cwd: local })
    const { code, stderr } = await git(['push', addressOf(site, repository, person), 'bad'], { cwd: local })
    expect(code).not.toBe(0)
    expect(stderr).toMatch(/fsck|missingEmail|unpack/i)
    expect(await refsOf(repository)).toEqual({})
  })
})
