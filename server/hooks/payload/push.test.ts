import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { jobContext } from '@/server/services'
import { call } from '@/testing/call'
import { gitOk } from '@/testing/git'
import {
  addressOf,
  commit,
  type GitRepository,
  makeGitRepository,
  startLocal,
  useWorkDirectory,
} from '@/testing/git-repository'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'
import { payloadOf } from '.'
import { eventsAfter, payloadsOf } from './testing/payloads'
import type { HookPayload } from './types'

const site = useSite()
const work = useWorkDirectory()
const zeros = '0'.repeat(40)

interface Scene {
  person: Person
  repository: GitRepository
  local: string
  /**
   * Runs `git push` to the repository with these arguments, and returns the payloads that webhooks receive.
   */
  push(...args: string[]): Promise<HookPayload[]>
  /** Runs a Git command in the working copy. */
  run(...args: string[]): Promise<string>
}

async function prepare(): Promise<Scene> {
  const person = await makePerson(site, { hide_email: true })
  const repository = await makeGitRepository(site, person.account)
  const local = work.path()
  await startLocal(local)
  const remote = addressOf(site, repository, person)
  const run = (...args: string[]) => gitOk(args, { cwd: local })
  const push = (...args: string[]) => payloadsOf(site, () => run('push', '-q', remote, ...args))
  return { person, repository, local, push, run }
}

const typesOf = (payloads: HookPayload[]) => payloads.map(({ eventType }) => eventType)
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
const bodyOf = (payloads: HookPayload[], type: string): any =>
  payloads.find(({ eventType }) => eventType === type)?.body

describe('the payload of a push', () => {
  it('follows a create payload if the push creates a branch, and both contain the ref for branch filters', async () => {
    const { person, repository, push, run } = await prepare()
    const payloads = await push('main')
    expect(typesOf(payloads)).toEqual(['create', 'push'])
    const ref = { short: 'main', full: 'refs/heads/main' }
    expect(payloads.map(payload => payload.ref)).toEqual([ref, ref])
    const { body: shown } = await call(site, 'GET', `/repos${repository.path}`)
    const { body: user } = await call(site, 'GET', `/users/${person.name}`)
    const tip = await run('rev-parse', 'HEAD')
    expect(payloads[0]?.body).toEqual({
      sha: tip,
      ref: 'main',
      ref_type: 'branch',
      repository: { ...shown, permissions: { admin: false, push: false, pull: false } },
      sender: user,
    })
    expect(payloads[1]?.body).toEqual({
      ref: 'refs/heads/main',
      before: zeros,
      after: tip,
      compare_url: '',
      commits: [expect.objectContaining({ id: tip })],
      total_commits: 1,
      head_commit: expect.objectContaining({ id: tip }),
      repository: { ...shown, permissions: { admin: true, push: true, pull: true } },
      pusher: user,
      sender: user,
    })
    expect(user.email).toContain('@noreply.')
  })

  it('lists the commits, newest first, with the paths that each one changed', async () => {
    const { repository, local, push, run } = await prepare()
    await writeFile(join(local, 'old'), 'old\n')
    await writeFile(join(local, 'kept'), 'kept\n')
    await run('add', '.')
    await run('commit', '-q', '-m', 'Before')
    await push('main')
    const before = await run('rev-parse', 'HEAD')
    await mkdir(join(local, 'a b'))
    await writeFile(join(local, 'a b', 'ü"\n.txt'), 'new\n')
    await writeFile(join(local, 'kept'), 'changed\n')
    await rm(join(local, 'old'))
    await run('add', '-A')
    await run('commit', '-q', '-m', 'Change much\n\nFor a reason.', '--date', '2020-02-02T02:02:02+02:00')
    const first = await run('rev-parse', 'HEAD')
    const second = await commit(local, 'Another')
    const body = bodyOf(await push('main'), 'push')
    const { html_url } = body.repository
    expect(body.compare_url).toBe(`${html_url}/compare/${before}...${second}`)
    expect(body.commits.map(({ id }: { id: string }) => id)).toEqual([second, first])
    expect(body).toMatchObject({ before, after: second, total_commits: 2, head_commit: { id: second } })
    const jo = { name: 'Jo Tester', email: 'jo@example.test', username: '' }
    expect(body.commits[1]).toEqual({
      id: first,
      message: 'Change much\n\nFor a reason.\n',
      url: `${site.url}${repository.path}/commit/${first}`,
      author: jo,
      committer: jo,
      verification: null,
      timestamp: '2020-02-02T00:02:02Z',
      added: ['a b/ü"\n.txt'],
      removed: ['old'],
      modified: ['kept'],
    })
  })

  it('lists the changes of a merge compared to its first parent', async () => {
    const { local, push, run } = await prepare()
    await push('main')
    await run('checkout', '-q', '-b', 'side')
    await commit(local, 'Aside')
    const [aside] = (await run('show', '--name-only', '--format=')).split('\n')
    await run('checkout', '-q', 'main')
    await commit(local, 'Meanwhile')
    await run('merge', '-q', '-m', 'Merge', 'side')
    expect(bodyOf(await push('main'), 'push').commits[0]).toMatchObject({ added: [aside], modified: [] })
  })

  it('lists only the newest five commits, and contains the total number', async () => {
    const { local, push } = await prepare()
    await push('main')
    const ids: string[] = []
    for (let count = 0; count < 7; count++) ids.unshift(await commit(local))
    const { commits, total_commits, head_commit } = bodyOf(await push('main'), 'push')
    expect(commits.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 5))
    expect([total_commits, head_commit.id]).toEqual([7, ids[0]])
  })

  it('lists as many paths as fit if there are too many', async () => {
    const { local, push, run } = await prepare()
    await push('main')
    const names = Array.from(
      { length: 6000 },
      (_, index) => `${String(index).padStart(4, '0')}${'x'.repeat(196)}`,
    )
    const files = names.map(name => `M 100644 inline ${name}\ndata 0\n`).join('')
    const head = 'commit refs/heads/many\ncommitter Jo <jo@example.test> 0 +0000\ndata 4\nMany\n'
    await gitOk(['fast-import', '--quiet'], { cwd: local, input: `${head}from refs/heads/main\n${files}` })
    const body = bodyOf(await push('many'), 'push')
    const { id, message, added } = body.head_commit
    expect([id, message]).toEqual([await run('rev-parse', 'many'), 'Many'])
    expect(added).toEqual(names.slice(0, added.length))
    expect([added.length > 5000, added.length < 6000]).toEqual([true, true])
  })

  it('lists no commits for a new branch at a known commit, which is the head commit', async () => {
    const { push, run } = await prepare()
    await push('main')
    const tip = await run('rev-parse', 'HEAD')
    const body = bodyOf(await push('main:refs/heads/next/one'), 'push')
    expect(body).toMatchObject({ commits: [], total_commits: 0, head_commit: { id: tip } })
    expect(body.compare_url).toBe(`${body.repository.html_url}/compare/main...${tip}`)
  })

  it('follows a create payload for an annotated tag, and has the tagged commit as its head commit', async () => {
    const { push, run } = await prepare()
    await push('main')
    await run('tag', '-a', 'v1', '-m', 'One')
    const [tag, tip] = [await run('rev-parse', 'v1'), await run('rev-parse', 'HEAD')]
    const payloads = await push('v1')
    expect(typesOf(payloads)).toEqual(['create', 'push'])
    expect(payloads[1]?.ref).toEqual({ short: 'v1', full: 'refs/tags/v1' })
    expect(bodyOf(payloads, 'create')).toMatchObject({ ref: 'v1', ref_type: 'tag', sha: tag })
    expect(bodyOf(payloads, 'push')).toMatchObject({
      ref: 'refs/tags/v1',
      before: zeros,
      after: tag,
      commits: [],
      head_commit: { id: tip },
    })
  })

  it('is sent in addition to the delete payload for a deleted tag, but not for a deleted branch', async () => {
    const { push, run } = await prepare()
    await run('tag', 'v1')
    await push('main', 'main:next', 'v1')
    const branch = await push(':next')
    expect(typesOf(branch)).toEqual(['delete'])
    expect(branch[0]?.body).toMatchObject({ ref: 'next', ref_type: 'branch', pusher_type: 'user' })
    const tag = await push(':v1')
    expect(typesOf(tag)).toEqual(['delete', 'push'])
    expect(bodyOf(tag, 'delete')).toMatchObject({ ref: 'v1', ref_type: 'tag' })
    expect(bodyOf(tag, 'push')).toMatchObject({
      after: zeros,
      commits: [],
      total_commits: 0,
      head_commit: null,
    })
  })

  it('contains the usernames for email addresses, except for accounts that hide theirs', async () => {
    const { person, local, push, run } = await prepare()
    const open = await makePerson(site)
    await run(
      'commit',
      '-q',
      '--allow-empty',
      '-m',
      'Shown',
      '--author',
      `O <${open.account.email.toUpperCase()}>`,
    )
    await run('commit', '-q', '--allow-empty', '-m', 'Hidden', '--author', `H <${person.account.email}>`)
    const standIn = `${person.account.id}+${person.name}@noreply.127.0.0.1`
    await run('commit', '-q', '--allow-empty', '-m', 'Stand-in', '--author', `S <${standIn}>`)
    await commit(local)
    const { commits } = bodyOf(await push('main'), 'push')
    const names = commits.map(({ author }: { author: { username: string } }) => author.username)
    expect(names.slice(1, 4)).toEqual([person.name, '', open.name])
  })

  it('lists the commits of each branch even if so many branches are pushed that feeds omit some', async () => {
    const { person, repository, local, push } = await prepare()
    await push('main')
    const tip = await commit(local)
    const refs = Array.from({ length: 51 }, (_, index) => `main:refs/heads/b${index + 10}`)
    await gitOk(['push', '-q', addressOf(site, repository, person), ...refs], { cwd: local })
    const last = (await eventsAfter(site, 0)).at(-1)!
    expect(last.facts).toMatchObject({ quiet: true, commits: 0 })
    const payload = await payloadOf(jobContext(site.services, 'test'), last)
    expect(payload?.body).toMatchObject({
      ref: 'refs/heads/b60',
      commits: [{ id: tip }],
      total_commits: 1,
      head_commit: { id: tip },
    })
  })
})

describe('the payload of a push that is handled late', () => {
  it('shows a repository that has been deleted since then as it was, without paths', async () => {
    const { person, repository, local, run } = await prepare()
    await gitOk(['push', '-q', addressOf(site, repository, person), 'main'], { cwd: local })
    const tip = await run('rev-parse', 'HEAD')
    const { body: shown } = await call(site, 'GET', `/repos${repository.path}`)
    await call(site, 'DELETE', `/repos${repository.path}`, { as: person })
    const events = (await eventsAfter(site, 0)).filter(
      ({ facts }) => 'repositoryId' in facts && facts.repositoryId === repository.id,
    )
    const payloads = await Promise.all(
      events.map(event => payloadOf(jobContext(site.services, 'test'), event)),
    )
    expect(payloads.map(payload => payload?.eventType)).toEqual(['create', 'push', 'repository'])
    expect(payloads[1]?.body).toMatchObject({
      repository: { id: repository.id, full_name: shown.full_name, owner: { login: person.name } },
      commits: [{ id: tip, message: 'A commit', added: [] }],
      head_commit: { id: tip },
      sender: { login: person.name },
    })
    expect(payloads[2]?.body).toMatchObject({
      action: 'deleted',
      repository: { id: repository.id, owner: { email: expect.stringContaining('@noreply.') } },
    })
  })

  it('contains no paths if Git can no longer read the commits', async () => {
    const { repository, push, person, run } = await prepare()
    await push('main')
    const last = (await eventsAfter(site, 0)).at(-1)!
    await rm(join(repository.directory, 'objects'), { recursive: true })
    const payload = await payloadOf(jobContext(site.services, 'test'), last)
    expect(payload?.body).toMatchObject({
      total_commits: 1,
      commits: [{ id: await run('rev-parse', 'HEAD'), added: [], removed: [], modified: [] }],
      repository: { full_name: `${person.name}/${repository.name}` },
    })
  })

  it('contains what the event recorded if an earlier version recorded less', async () => {
    const { push } = await prepare()
    await push('main')
    const last = (await eventsAfter(site, 0)).at(-1)!
    const { ref, before, after } = last.facts as Record<string, unknown>
    const older = { ...last, facts: { ref, before, after } } as typeof last
    const payload = await payloadOf(jobContext(site.services, 'test'), older)
    expect(payload?.body).toMatchObject({ ref, commits: [], total_commits: 0, head_commit: { id: after } })
    expect(
      await payloadOf(jobContext(site.services, 'test'), { ...older, repositoryId: null }),
    ).toBeUndefined()
  })
})
