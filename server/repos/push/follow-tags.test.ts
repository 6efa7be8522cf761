import { expect, it } from 'vitest'
import { makeRelease } from '@/db/testing/factories'
import { withTransaction } from '@/db/transaction'
import { hubOf, type Signal } from '@/server/events'
import { jobContext } from '@/server/services'
import { gitOk } from '@/testing/git'
import { makeCommittedRepository, rowOf } from '@/testing/git-repository'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { newStorageKey } from '../storage'
import { followTags, movedTags } from './follow-tags'
import { recordPush } from './record'

const site = useSite()

const zeros = '0'.repeat(40)

async function makeScene() {
  const { account } = await makePerson(site)
  const repository = await makeCommittedRepository(site, account)
  const git = (...args: string[]) => gitOk(args, { cwd: repository.directory })
  const published = (tag_name: string) =>
    makeRelease(site.db, repository.id, { tag_name, sha: repository.commit, target: 'main' })
  /** Records a push that moved these tags to the given objects. */
  const recorded = async (tags: readonly string[], after: string) => {
    const note = { key: newStorageKey(), repositoryId: repository.id, actorId: account.id }
    const around = { remoteAddress: '', requestId: 'test', startedAt: new Date() }
    const updates = tags.map(tag => ({ ref: `refs/tags/${tag}`, before: repository.commit, after }))
    const record = () => recordPush(jobContext(site.services, 'test'), { ...note, ...around }, updates)
    await record()
    return record
  }
  const push = async (tag: string, after: string) => {
    const ref = `refs/tags/${tag}`
    await (after === zeros ? git('update-ref', '-d', ref) : git('update-ref', ref, after))
    return await recorded([tag], after)
  }
  const find = (id: number) =>
    site.db
      .selectFrom('releases')
      .select(['is_draft', 'sha', 'target'])
      .where('id', '=', id)
      .executeTakeFirst()
  return { repository, git, published, recorded, push, find }
}

it('a release whose tag is deleted becomes a draft from which the same tag can be created again, and open pages are notified', async () => {
  const { repository, git, published, push, find } = await makeScene()
  const [release, other] = [await published('v1'), await published('v2')]
  for (const { tag_name } of [release, other]) await git('update-ref', `refs/tags/${tag_name}`, 'main')
  const received: Signal[] = []
  const stop = hubOf(site.db).listen(signals => void received.push(...signals))
  await push('v1', zeros)
  stop()
  const { commit } = repository
  expect(await find(release.id)).toEqual({ is_draft: true, sha: '', target: commit })
  expect(await find(other.id)).toEqual({ is_draft: false, sha: commit, target: 'main' })
  const notices = received.filter(({ kind }) => kind === 'release.changed')
  expect(notices).toMatchObject([{ isDraft: false, repositoryId: repository.id }])
})

it('a release that lost its tag is published again with the tag, unless somebody decided that it is a draft', async () => {
  const { repository, git, published, push, find } = await makeScene()
  const { commit } = repository
  const releases = [await published('v1'), await published('v2')]
  for (const { tag_name } of releases) await git('update-ref', `refs/tags/${tag_name}`, 'main')
  const draft = await makeRelease(site.db, repository.id, { tag_name: 'v3', is_draft: true })
  for (const tag of ['v1', 'v2']) await push(tag, zeros)
  const [back, decided] = releases
  await site.db
    .updateTable('releases')
    .set({ lost_tag: false })
    .where('id', '=', decided?.id ?? 0)
    .execute()
  for (const tag of ['v1', 'v2', 'v3']) await push(tag, commit)
  expect(await find(back?.id ?? 0)).toEqual({ is_draft: false, sha: commit, target: commit })
  expect(await find(decided?.id ?? 0)).toMatchObject({ is_draft: true })
  expect(await find(draft.id)).toMatchObject({ is_draft: true })
  await push('v1', zeros)
  expect(await find(back?.id ?? 0)).toMatchObject({ is_draft: true })
})

it('5,000 releases whose tags are deleted in one push become drafts, with a single notification', async () => {
  const { repository, recorded } = await makeScene()
  const names = Array.from({ length: 5_000 }, (_, number) => `${'long-'.repeat(40)}${number}`)
  const tagged = { repository_id: repository.id, sha: repository.commit }
  await site.db
    .insertInto('releases')
    .values(names.map(tag_name => ({ ...tagged, tag_name })))
    .execute()
  const received: Signal[] = []
  const stop = hubOf(site.db).listen(signals => void received.push(...signals))
  await recorded(names, zeros)
  stop()
  const states = await site.db
    .selectFrom('releases')
    .select(({ fn }) => ['is_draft', 'sha', 'target', fn.countAll<number>().as('count')])
    .where('repository_id', '=', repository.id)
    .groupBy(['is_draft', 'sha', 'target'])
    .execute()
  expect(states).toEqual([{ is_draft: true, sha: '', target: repository.commit, count: 5_000 }])
  expect(await rowOf(site, repository)).toMatchObject({ release_count: 0 })
  expect(received.filter(({ kind }) => kind === 'release.changed')).toHaveLength(1)
})

it('a release stays published if it gets another tag while the deletion of its former tag is being recorded', async () => {
  const { repository, git, published } = await makeScene()
  const [renamed, other] = [await published('v1'), await published('v2')]
  await git('update-ref', 'refs/tags/v3', 'main')
  const updates = ['v1', 'v2'].map(tag => ({
    ref: `refs/tags/${tag}`,
    before: repository.commit,
    after: zeros,
  }))
  const tags = await movedTags(repository.directory, updates)
  await site.db.updateTable('releases').set({ tag_name: 'v3' }).where('id', '=', renamed.id).execute()
  const row = await rowOf(site, repository)
  await withTransaction(site.db, trx => followTags(trx, row, tags, new Date()))
  const drafts = await site.db
    .selectFrom('releases')
    .select('id')
    .where('repository_id', '=', repository.id)
    .where('is_draft', '=', true)
    .execute()
  expect(drafts).toEqual([{ id: other.id }])
})

it('a release whose tag is moved gets the commit to which the tag then points', async () => {
  const { git, published, push, find } = await makeScene()
  const release = await published('v1')
  const later = await git('commit-tree', 'main^{tree}', '-p', 'main', '-m', 'Second')
  await git('tag', '-a', '-m', 'Annotated', 'other', later)
  await push('v1', await git('rev-parse', 'other'))
  expect(await find(release.id)).toEqual({ is_draft: false, sha: later, target: 'main' })
})

it('recording a push again does not change a release that was published in the meantime', async () => {
  const { git, published, push, find } = await makeScene()
  const release = await published('v1')
  await git('update-ref', 'refs/tags/v1', 'main')
  const recordAgain = await push('v1', zeros)
  await site.db.updateTable('releases').set({ is_draft: false }).where('id', '=', release.id).execute()
  await recordAgain()
  expect(await find(release.id)).toMatchObject({ is_draft: false })
})
