import { describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { git, gitOk } from '@/testing/git'
import {
  addressOf,
  type GitRepository,
  makeGitRepository,
  recordedEvents,
  refsOf,
  startLocal,
  useWorkDirectory,
} from '@/testing/git-repository'
import { makeHook } from '@/testing/hooks'
import { makeJobToken } from '@/testing/job-tokens'
import { makePerson } from '@/testing/people'
import { mount, useSite } from '@/testing/site'
import { commitFiles, startWaiting, workflowOn } from '@/testing/workflows'

const path = '.gitea/workflows/ci.yml'

describe.skipIf(mount === 'next')('a push by a job', () => {
  const site = useSite()
  const work = useWorkDirectory()

  /** Makes a private repository with a workflow on `main`, and the token of a job that its owner caused. */
  async function prepare(
    permissions: Parameters<typeof makeJobToken>[2] = { permissions: { contents: 'write' } },
  ) {
    const ada = await makePerson(site)
    const repository = await makeGitRepository(site, ada.account, { is_private: true })
    const local = work.path()
    await startLocal(local)
    await commitFiles(local, { [path]: workflowOn('push') })
    await gitOk(['push', '-q', addressOf(site, repository, ada), 'main'], { cwd: local })
    await startWaiting(site)
    const job = await makeJobToken(site, repository, { actor: ada.account, ...permissions })
    const push = (...refs: string[]) =>
      git(['push', addressOf(site, repository, job), ...refs], { cwd: local })
    return { ada, repository, local, job, push }
  }

  const runsOf = async ({ id }: GitRepository) =>
    (await site.db.selectFrom('workflow_runs').select('id').where('repository_id', '=', id).execute()).length

  it('with contents: write, moves a branch and creates a tag as the person who caused the run', async () => {
    const { ada, repository, local, job, push } = await prepare()
    const before = (await recordedEvents(site, repository)).length
    const tip = await commitFiles(local, { version: '2' })
    expect(await push('main', 'main:refs/tags/v2')).toMatchObject({ code: 0 })
    expect(await refsOf(repository)).toEqual({ 'refs/heads/main': tip, 'refs/tags/v2': tip })
    const events = (await recordedEvents(site, repository)).slice(before)
    expect(events.map(({ kind }) => kind).sort()).toEqual(['git.pushed', 'git.pushed', 'ref.created'])
    for (const { actor, facts } of events) {
      expect(actor).toBe(ada.account.id)
      expect(facts.byJob).toMatchObject({ jobId: job.job_id, runId: job.run_id, workflow: 'CI' })
    }
    const feed = await call(site, 'GET', `/repos${repository.path}/activities/feeds`, { as: ada })
    expect(feed.body[0].act_user.login).toMatch(/^run #\d+ of “CI”$/)
  })

  it('starts no workflow, but is delivered to webhooks, and a push by a person starts one', async () => {
    const { ada, repository, local, push } = await prepare()
    await makeHook(site, { repository_id: repository.id })
    const before = await runsOf(repository)
    await commitFiles(local, { version: '2' })
    expect(await push('main')).toMatchObject({ code: 0 })
    const queued = await site.db
      .selectFrom('event_outbox')
      .innerJoin('events', 'events.id', 'event_outbox.event_id')
      .select('consumer')
      .where('repository_id', '=', repository.id)
      .where('consumer', '=', 'webhooks')
      .execute()
    expect(queued).toHaveLength(1)
    await startWaiting(site)
    expect(await runsOf(repository)).toBe(before)
    await commitFiles(local, { version: '3' })
    await gitOk(['push', '-q', addressOf(site, repository, ada), 'main'], { cwd: local })
    await startWaiting(site)
    expect(await runsOf(repository)).toBe(before + 1)
  })

  it.each([
    ['by default', {}],
    ['with contents: read', { permissions: { contents: 'read' } }],
    ['with other permissions', { permissions: { actions: 'write' } }],
  ] as const)('is refused %s, and the message names the permission', async (_, options) => {
    const { local, repository, push } = await prepare(options)
    const before = await refsOf(repository)
    await commitFiles(local, { version: '2' })
    const { code, stderr } = await push('main')
    expect(code).not.toBe(0)
    expect(stderr).toContain('needs contents: write')
    expect(await refsOf(repository)).toEqual(before)
  })

  describe('that changes workflows', () => {
    const refusal = 'a job token cannot change files in .gitea/workflows or .github/workflows'

    it.each([
      [
        'edits one',
        async (local: string) => void (await commitFiles(local, { [path]: workflowOn('push', 'X') })),
      ],
      [
        'adds one',
        async (local: string) => void (await commitFiles(local, { '.github/workflows/x.yml': 'on: push' })),
      ],
      [
        'deletes one',
        async (local: string) => {
          await gitOk(['rm', '-q', path], { cwd: local })
          await commitFiles(local, {})
        },
      ],
      [
        'edits one in a commit that a later one reverts',
        async (local: string) => {
          await commitFiles(local, { [path]: workflowOn('push', 'X') })
          await commitFiles(local, { [path]: workflowOn('push') })
        },
      ],
      [
        'edits one on the other side of a merge',
        async (local: string) => {
          await gitOk(['checkout', '-q', '-b', 'side'], { cwd: local })
          await commitFiles(local, { [path]: workflowOn('push', 'X') })
          await gitOk(['checkout', '-q', 'main'], { cwd: local })
          await commitFiles(local, { other: '1' })
          await gitOk(['merge', '-q', '-s', 'ours', '-m', 'Merge', 'side'], { cwd: local })
        },
      ],
    ])('is refused if it %s', async (_, change) => {
      const { local, repository, push } = await prepare()
      const before = await refsOf(repository)
      await change(local)
      for (const target of ['main', 'main:new', 'main:refs/tags/v1']) {
        const { code, stderr } = await push(target)
        expect([code === 0, stderr]).toEqual([false, expect.stringContaining(refusal)])
      }
      expect(await refsOf(repository)).toEqual(before)
    })

    it('is refused if it moves a branch to a commit of the repository with other workflows', async () => {
      const { ada, local, repository, push } = await prepare()
      await gitOk(['checkout', '-q', '-b', 'side'], { cwd: local })
      await commitFiles(local, { [path]: workflowOn('push', 'X') })
      await gitOk(['push', '-q', addressOf(site, repository, ada), 'side'], { cwd: local })
      expect((await push('side:main')).stderr).toContain(refusal)
      expect(await push('side:another', 'side:refs/tags/v1')).toMatchObject({ code: 0 })
    })

    it('is accepted if a branch gets the workflows of the default branch', async () => {
      const { ada, local, repository, push } = await prepare()
      const remote = addressOf(site, repository, ada)
      await gitOk(['push', '-q', remote, 'main:stable'], { cwd: local })
      await commitFiles(local, { [path]: workflowOn('push', 'X') })
      await gitOk(['push', '-q', remote, 'main'], { cwd: local })
      expect(await push('main:stable')).toMatchObject({ code: 0 })
    })
  })

  it('creates and deletes branches, and pushes to an empty repository', async () => {
    const ada = await makePerson(site)
    const repository = await makeGitRepository(site, ada.account)
    const local = work.path()
    const tip = await startLocal(local)
    const job = await makeJobToken(site, repository, {
      actor: ada.account,
      permissions: { contents: 'write' },
    })
    const remote = addressOf(site, repository, job)
    expect(await git(['push', remote, 'main', 'main:side'], { cwd: local })).toMatchObject({ code: 0 })
    expect(await git(['push', remote, ':side'], { cwd: local })).toMatchObject({ code: 0 })
    expect(await refsOf(repository)).toEqual({ 'refs/heads/main': tip })
  })
})
