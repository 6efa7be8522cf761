import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { recoverPushes } from '@/server/repos/push'
import { forgetPush, readFailures } from '@/server/repos/push/spool'
import { newStorageKey } from '@/server/repos/storage'
import { pushesFolder, pushPath } from '@/server/repos/storage/paths'
import { jobContext } from '@/server/services'
import { gitOk } from '@/testing/git'
import {
  addressOf,
  commit,
  type GitRepository,
  makeGitRepository,
  recordedEvents,
  rowOf,
  startLocal,
  useWorkDirectory,
} from '@/testing/git-repository'
import { makePerson } from '@/testing/people'
import { mount, useSite } from '@/testing/site'

const zeros = '0'.repeat(40)

describe.skipIf(mount === 'next')('an unrecorded push of a killed process', () => {
  const site = useSite()
  const work = useWorkDirectory()

  /** Creates a repository with a branch that no event reports, as a killed process leaves it. */
  async function prepare() {
    const person = await makePerson(site)
    const repository = await makeGitRepository(site, person.account)
    const local = work.path()
    const tip = await startLocal(local)
    await gitOk(['push', '-q', repository.directory, 'main'], { cwd: local })
    return { person, repository, local, tip, update: `${zeros} ${tip} refs/heads/main\n` }
  }

  async function leave(
    repository: GitRepository,
    actorId: number,
    files: Record<string, string>,
    { ageSeconds = 120, renamed }: { ageSeconds?: number; renamed?: { from: string; to: string } } = {},
  ): Promise<string> {
    const key = newStorageKey()
    const directory = pushPath(site.services.config, key)
    const written = new Date(Date.now() - ageSeconds * 1000)
    const note = {
      key,
      repositoryId: repository.id,
      actorId,
      remoteAddress: '192.0.2.7',
      requestId: 'the-request',
      renamed,
      startedAt: written,
    }
    await mkdir(directory, { recursive: true })
    for (const [name, text] of Object.entries({ 'push.json': JSON.stringify(note), ...files })) {
      await writeFile(join(directory, name), text)
      await utimes(join(directory, name), written, written)
    }
    await utimes(directory, written, written)
    return key
  }

  it('starts no workflows if its options asked for none', async () => {
    const { person, repository, update } = await prepare()
    await leave(repository, person.account.id, { options: 'topic=x\nci.skip\n', wanted: update })
    await recover()
    const events = await recordedEvents(site, repository)
    expect(events.map(({ facts }) => facts.skipsWorkflows)).toEqual([true, true])
  })

  const recover = () => recoverPushes(jobContext(site.services, 'recovery'))
  const left = () => readdir(pushesFolder(site.services.config))

  it('is recorded once, with its pusher, even if several processes settle it concurrently', async () => {
    const { person, repository, tip, update } = await prepare()
    await leave(repository, person.account.id, { wanted: update, done: update })
    await Promise.all([recover(), recover(), recover()])
    await recover()
    expect(await recordedEvents(site, repository)).toMatchObject([
      { kind: 'ref.created', actor: person.account.id, facts: { sha: tip } },
      { kind: 'git.pushed', actor: person.account.id, facts: { after: tip } },
    ])
    const event = await site.db
      .selectFrom('events')
      .select(['remote_address', 'request_id'])
      .where('repository_id', '=', repository.id)
      .executeTakeFirstOrThrow()
    expect(event).toEqual({ remote_address: '192.0.2.7', request_id: 'the-request' })
    expect(await rowOf(site, repository)).toMatchObject({ is_empty: false, branch_count: 1 })
    expect(await left()).toEqual([])
  })

  it.each(['done', 'wanted'])(
    'is left complete for the next run if a run is stopped while it reads what was %s',
    async noted => {
      const { person, repository, tip, update } = await prepare()
      const key = await leave(repository, person.account.id, { wanted: update, [noted]: update })
      const stopping = new AbortController()
      const db = site.db.withPlugin({
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          stopping.abort()
          return result
        },
      })
      await recoverPushes({ ...jobContext(site.services, 'recovery'), db }, stopping.signal)
      expect(stopping.signal.aborted).toBe(true)
      expect(await recordedEvents(site, repository)).toEqual([])
      expect(await readFailures(pushPath(site.services.config, key))).toMatchObject({ times: 0 })
      await recover()
      const events = await recordedEvents(site, repository)
      expect(events.at(-1)).toMatchObject({ kind: 'git.pushed', facts: { after: tip, commits: 1 } })
      expect(await left()).toEqual([])
    },
  )

  it('is recorded as far as the refs show it if only its start was noted', async () => {
    const { person, repository, tip, update } = await prepare()
    const neverDone = `${zeros} ${tip} refs/heads/absent\n`
    await leave(repository, person.account.id, { wanted: neverDone + update })
    await recover()
    const events = await recordedEvents(site, repository)
    expect(new Set(events.map(event => event.facts.ref))).toEqual(new Set(['refs/heads/main']))
    expect(await left()).toEqual([])
  })

  it.each(['done', 'wanted'])('is recorded as the rename of a branch if that was %s', async noted => {
    const { person, repository, tip } = await prepare()
    await gitOk(['branch', '-m', 'main', 'trunk'], { cwd: repository.directory })
    const update = `${zeros} ${tip} refs/heads/trunk\n${tip} ${zeros} refs/heads/main\n`
    const renamed = { from: 'main', to: 'trunk' }
    await leave(repository, person.account.id, { wanted: update, [noted]: update }, { renamed })
    await recover()
    expect(await formerNames(repository)).toEqual([renamed])
    expect(await rowOf(site, repository)).toMatchObject({ default_branch: 'trunk' })
  })

  it('is not recorded as a rename if the branch has its former name again', async () => {
    const { person, repository, tip } = await prepare()
    await gitOk(['branch', 'trunk', 'main'], { cwd: repository.directory })
    const wanted = `${zeros} ${tip} refs/heads/trunk\n${tip} ${zeros} refs/heads/main\n`
    const renamed = { from: 'main', to: 'trunk' }
    await leave(repository, person.account.id, { wanted }, { renamed })
    await recover()
    expect(await formerNames(repository)).toEqual([])
  })

  it.each([
    ['in the order in which they happened', [0, 1, 2, 3, 4]],
    ['in the opposite order', [4, 3, 2, 1, 0]],
    ['in another order', [3, 0, 4, 1, 2]],
  ])('keeps the newest former names if renames are recorded %s', async (_, order) => {
    const { person, repository, tip } = await prepare()
    await gitOk(['branch', '-m', 'main', 'c'], { cwd: repository.directory })
    const renamed = (from: string, to: string) => ({
      done: `${zeros} ${tip} refs/heads/${to}\n${tip} ${zeros} refs/heads/${from}\n`,
      renamed: { from, to },
    })
    const created = { done: `${zeros} ${tip} refs/heads/a\n`, renamed: undefined }
    const pushes = [renamed('a', 'b'), created, renamed('b', 'main'), renamed('a', 'd'), renamed('main', 'c')]
    for (const index of order) {
      const { done, renamed } = pushes[index] as (typeof pushes)[number]
      await leave(
        repository,
        person.account.id,
        { wanted: done, done },
        { ageSeconds: 120 - index, ...(renamed && { renamed }) },
      )
      await recover()
    }
    expect(await formerNames(repository)).toEqual([
      { from: 'a', to: 'd' },
      { from: 'b', to: 'main' },
      { from: 'main', to: 'c' },
    ])
  })

  const formerNames = (repository: GitRepository) =>
    site.db
      .selectFrom('renamed_branches')
      .select(['from_name as from', 'to_name as to'])
      .where('repository_id', '=', repository.id)
      .orderBy('from_name')
      .execute()

  it('is recorded even if someone has pushed on top of it since', async () => {
    const { person, repository, local, tip, update } = await prepare()
    await leave(repository, person.account.id, { wanted: update })
    const next = await commit(local)
    await gitOk(['push', '-q', addressOf(site, repository, person), 'main'], { cwd: local })
    await recover()
    const afters = (await recordedEvents(site, repository)).map(event => event.facts.after)
    expect(afters).toContain(tip)
    expect(afters).toContain(next)
  })

  it('is not recorded twice if it was pushed again and that push was recorded', async () => {
    const person = await makePerson(site)
    const repository = await makeGitRepository(site, person.account)
    const local = work.path()
    const tip = await startLocal(local)
    await leave(repository, person.account.id, { wanted: `${zeros} ${tip} refs/heads/main\n` })
    await gitOk(['push', '-q', addressOf(site, repository, person), 'main'], { cwd: local })
    const events = await recordedEvents(site, repository)
    await recover()
    expect(await recordedEvents(site, repository)).toEqual(events)
  })

  it('is left alone while its own process may still record it', async () => {
    const { person, repository, update } = await prepare()
    const key = await leave(
      repository,
      person.account.id,
      { wanted: update, done: update },
      { ageSeconds: 30 },
    )
    await recover()
    expect(await recordedEvents(site, repository)).toEqual([])
    expect(await left()).toContain(key)
    site.now.set(new Date(Date.now() + 60_000))
    await recover()
    site.now.set(undefined)
    expect(await recordedEvents(site, repository)).toHaveLength(2)
  })

  it('is discarded if its repository was deleted, and after a day if it changed nothing', async () => {
    const { person, repository, update } = await prepare()
    const fresh = await leave(repository, person.account.id, {})
    await leave(repository, person.account.id, {}, { ageSeconds: 25 * 60 * 60 })
    await leave({ ...repository, id: 999_999_999 }, person.account.id, { done: update })
    await recover()
    expect(await left()).toEqual([fresh])
  })

  it('is given up if it cannot be recorded for a day', async () => {
    const { person, repository, update } = await prepare()
    const key = await leave(
      repository,
      person.account.id,
      { wanted: update, done: update },
      { ageSeconds: 25 * 60 * 60 },
    )
    await rm(repository.directory, { recursive: true })
    await recover()
    expect(await left()).toContain(key)
    site.now.set(new Date(Date.now() + 23 * 60 * 60 * 1000))
    await recover()
    expect(await left()).toContain(key)
    site.now.set(new Date(Date.now() + 25 * 60 * 60 * 1000))
    await recover()
    site.now.set(undefined)
    expect(await left()).not.toContain(key)
  })

  it('is retried after increasing pauses of at most an hour', async () => {
    const { person, repository, update } = await prepare()
    const key = await leave(repository, person.account.id, { wanted: update, done: update })
    await rm(repository.directory, { recursive: true })
    const start = Date.now()
    const tries: number[] = []
    let failures = 0
    for (let minute = 0; minute < 240; minute++) {
      site.now.set(new Date(start + minute * 60_000))
      await recover()
      const { times } = await readFailures(pushPath(site.services.config, key))
      if (times > failures) {
        tries.push(minute)
        failures = times
        const written = new Date(start + minute * 60_000)
        await utimes(join(pushPath(site.services.config, key), 'failing'), written, written)
      }
    }
    site.now.set(undefined)
    expect(tries).toEqual([0, 2, 6, 14, 30, 62, 122, 182])
    await forgetPush(site.services.config, key)
  })

  it('is recorded without an actor if the account was deleted', async () => {
    const { repository, update } = await prepare()
    await leave(repository, 999_999_999, { done: update })
    await recover()
    expect((await recordedEvents(site, repository)).map(event => event.actor)).toEqual([null, null])
  })
})
