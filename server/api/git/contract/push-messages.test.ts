import { describe, expect, it } from 'vitest'
import { git } from '@/testing/git'
import { addressOf, makeGitRepository, startLocal, useWorkDirectory } from '@/testing/git-repository'
import { makePerson } from '@/testing/people'
import { mount, useSite } from '@/testing/site'
import { addGeneratedKey, hasSsh, useSsh } from '@/testing/ssh'
import { commitFiles, startWaiting, workflowOn } from '@/testing/workflows'

describe.skipIf(mount === 'next')('a push', () => {
  const site = useSite()
  const ssh = useSsh(site)
  const work = useWorkDirectory()

  async function prepare() {
    const person = await makePerson(site)
    const repository = await makeGitRepository(site, person.account)
    const local = work.path()
    await startLocal(local)
    const page = `${site.url}${repository.path}`
    const remote = addressOf(site, repository, person)
    return { person, repository, local, page, remote }
  }

  type Options = Parameters<typeof git>[1]

  /** Pushes as at a terminal while workflows are started; gives what the site said. */
  async function messagesOf(args: readonly string[], options: Options, isWorking = true): Promise<string[]> {
    let isOver = false
    const pushed = git(['push', '--progress', ...args], options).finally(() => {
      isOver = true
    })
    while (isWorking && !isOver) await startWaiting(site)
    const { code, stderr } = await pushed
    expect({ code, stderr }).toMatchObject({ code: 0 })
    const lines = stderr.split('\n').filter(line => line.startsWith('remote: '))
    return lines.map(line => line.slice('remote: '.length).trim())
  }

  const runPage = (page: string) =>
    expect.stringMatching(new RegExp(`^Workflow .* ${page}/actions/runs/\\d+$`))

  it('prints the pages of its branches, and where new ones are compared with the default branch', async () => {
    const { local, page, remote } = await prepare()
    expect(await messagesOf([remote, 'main'], { cwd: local })).toEqual([`Branch main: ${page}`])
    expect(await messagesOf([remote, 'main:side/é'], { cwd: local })).toEqual([
      `Branch side/é: ${page}/src/branch/side/%C3%A9`,
      `Compare with main: ${page}/compare/main...side/%C3%A9`,
    ])
    await commitFiles(local, { a: '1' })
    expect(await messagesOf([remote, 'main'], { cwd: local })).toEqual([`Branch main: ${page}`])
    expect(await messagesOf([remote, 'main:side/é'], { cwd: local })).toEqual([
      `Branch side/é: ${page}/src/branch/side/%C3%A9`,
    ])
    expect(await messagesOf([remote, ':side/é'], { cwd: local })).toEqual([])
    const many = ['a', 'b', 'c', 'd'].map(name => `main:${name}`)
    expect(await messagesOf([remote, ...many], { cwd: local })).toEqual([])
  })

  it('compares nothing with a default branch that does not exist yet', async () => {
    const { local, page, remote } = await prepare()
    expect(await messagesOf([remote, 'main:first'], { cwd: local })).toEqual([
      `Branch first: ${page}/src/branch/first`,
    ])
    expect(await messagesOf([remote, 'main:second'], { cwd: local })).toEqual([
      `Branch second: ${page}/src/branch/second`,
      `Compare with first: ${page}/compare/first...second`,
    ])
  })

  it('prints the workflow runs it started, and those that could not start', async () => {
    const { local, page, remote } = await prepare()
    await messagesOf([remote, 'main'], { cwd: local })
    const name = '"Deploy \\e[31m\\u202e now"'
    await commitFiles(local, {
      '.gitea/workflows/a.yml': workflowOn('push', name),
      '.gitea/workflows/b.yml': 'on: push\njobs: nothing',
    })
    let lines: string[] = []
    // A machine that is busy may take longer than a push waits.
    for (let tries = 0; lines.length < 4 && tries < 10; tries++) {
      await startWaiting(site)
      lines = await messagesOf([remote, `main:try-${tries}`], { cwd: local })
    }
    expect(lines).toEqual([
      expect.stringMatching(/^Branch try-\d: /),
      expect.stringMatching(/^Compare with main: /),
      runPage(page),
      runPage(page),
    ])
    expect(lines[2]).toMatch(/^Workflow Deploy \[31m now #\d+ started: /)
    expect(lines[3]).toMatch(/^Workflow \.gitea\/workflows\/b\.yml #\d+ could not start: /)
  })

  it('prints where its runs will be listed if they take too long to start', async () => {
    const { local, page, remote } = await prepare()
    expect(await messagesOf([remote, 'main'], { cwd: local }, false)).toEqual([`Branch main: ${page}`])
    await commitFiles(local, { '.gitea/workflows/a.yml': workflowOn('push') })
    const before = performance.now()
    expect(await messagesOf([remote, 'main'], { cwd: local }, false)).toEqual([
      `Branch main: ${page}`,
      `Workflow runs for this push: ${page}/actions`,
    ])
    expect(performance.now() - before).toBeLessThan(10_000)
    await startWaiting(site)
  })

  it('prints nothing with -q, and no runs if workflows are off or skipped', async () => {
    const { local, page, remote } = await prepare()
    await commitFiles(local, { '.gitea/workflows/a.yml': workflowOn('push') })
    const { stderr } = await git(['push', '-q', remote, 'main'], { cwd: local })
    expect(stderr).toBe('')
    expect(await messagesOf(['-o', 'ci.skip', remote, 'main:side'], { cwd: local })).toEqual([
      `Branch side: ${page}/src/branch/side`,
      `Compare with main: ${page}/compare/main...side`,
    ])
  })

  it.skipIf(!hasSsh)('prints the same over SSH', async () => {
    const { person, repository, local, page } = await prepare()
    const { file } = await addGeneratedKey(site, ssh, person)
    await commitFiles(local, { '.gitea/workflows/a.yml': workflowOn('push') })
    const settings = ssh.settings(file)
    const lines = await messagesOf([ssh.address(repository.path), 'main'], { cwd: local, settings })
    expect(lines).toEqual([`Branch main: ${page}`, expect.stringMatching(/^Workflow .*\/actions/)])
  })
})
