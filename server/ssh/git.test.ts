import { describe, expect, it } from 'vitest'
import { git, gitOk } from '@/testing/git'
import {
  commit,
  makeGitRepository,
  recordedEvents,
  refsOf,
  startLocal,
  useWorkDirectory,
} from '@/testing/git-repository'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { addGeneratedKey, useSsh } from '@/testing/ssh'

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

describe('git over SSH', () => {
  it('greets whoever asks for a shell, with the name of the account and the key', async () => {
    const { person, file } = await prepare()
    const { code, stderr } = await ssh.run(file, 'anything@127.0.0.1')
    expect(stderr).toContain(`Hi ${person.name}! You are signed in with the key “`)
    expect(code).toBe(0)
  })

  it.each(['0', '1', '2'])('pushes, clones and fetches with version %s of the protocol', async version => {
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
})
