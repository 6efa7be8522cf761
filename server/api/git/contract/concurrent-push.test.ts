// @module-tag embedded
import { describe, expect, it } from 'vitest'
import { beginPush, settlePush } from '@/server/repos/push'
import { jobContext } from '@/server/services'
import { git, gitOk } from '@/testing/git'
import {
  addressOf,
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
import { mount, useSite } from '@/testing/site'

const rounds = series(3, 10)

describe.skipIf(mount === 'next')('concurrent pushes', () => {
  const site = useSite()
  const work = useWorkDirectory()

  it('to one branch succeed exactly once, record one event, and leave the repository intact', {
    tags: 'series',
    timeout: 120_000,
  }, async () => {
    const person = await makePerson(site)
    const repository = await makeGitRepository(site, person.account)
    const remote = addressOf(site, repository, person)
    const locals = [work.path(), work.path()]
    await startLocal(locals[0] as string)
    await gitOk(['push', '-q', remote, 'main'], { cwd: locals[0] })
    await gitOk(['clone', '-q', remote, locals[1] as string])
    for (let round = 0; round < rounds; round++) {
      const tips = await Promise.all(locals.map(local => commit(local, `round ${round}`)))
      const results = await Promise.all(
        locals.map(local => git(['push', '-q', remote, 'main'], { cwd: local })),
      )
      const winner = results.findIndex(result => result.code === 0)
      expect(results.filter(result => result.code === 0)).toHaveLength(1)
      expect(await refsOf(repository)).toEqual({ 'refs/heads/main': tips[winner] })
      expect((await recordedEvents(site, repository)).at(-1)?.facts.after).toBe(tips[winner])
      for (const local of locals) {
        await gitOk(['fetch', '-q', remote, 'main'], { cwd: local })
        await gitOk(['reset', '-q', '--hard', 'FETCH_HEAD'], { cwd: local })
      }
    }
    expect(await recordedEvents(site, repository)).toHaveLength(2 + rounds)
    await gitOk(['--git-dir', repository.directory, 'fsck', '--strict', '--no-dangling'])
  })

  it('to different branches all succeed, and the row counts each', async () => {
    const person = await makePerson(site)
    const repository = await makeGitRepository(site, person.account)
    const remote = addressOf(site, repository, person)
    const local = work.path()
    await startLocal(local)
    const names = Array.from({ length: 8 }, (_, index) => `side-${index}`)
    await Promise.all(names.map(name => gitOk(['push', '-q', remote, `main:${name}`], { cwd: local })))
    const row = await rowOf(site, repository)
    expect(row).toMatchObject({ branch_count: names.length, is_empty: false })
    expect(names).toContain(row.default_branch)
    const head = await gitOk(['--git-dir', repository.directory, 'symbolic-ref', 'HEAD'])
    expect(head).toBe(`refs/heads/${row.default_branch}`)
    expect(await recordedEvents(site, repository)).toHaveLength(2 * names.length)
  })

  it('are recorded even if the row changes before each of them is', async () => {
    const person = await makePerson(site)
    const repository = await makeGitRepository(site, person.account)
    const local = work.path()
    const after = await startLocal(local)
    await gitOk(['push', '-q', repository.directory, 'main'], { cwd: local })
    const changes: Promise<unknown>[] = []
    const change = () =>
      site.db
        .updateTable('repositories')
        .set({ description: `change ${changes.length}` })
        .where('id', '=', repository.id)
        .execute()
    const clock = {
      now() {
        changes.push(change())
        return new Date()
      },
    }
    const ctx = { ...jobContext(site.services, 'racing'), clock }
    const { note, release } = await beginPush(ctx, await rowOf(site, repository))
    const done = [{ ref: 'refs/heads/main', before: '0'.repeat(40), after }]
    await settlePush(ctx, note, { done })
    release()
    await Promise.all(changes)
    expect(await rowOf(site, repository)).toMatchObject({ branch_count: 1, is_empty: false })
    expect(await recordedEvents(site, repository)).toHaveLength(2)
  })
})
