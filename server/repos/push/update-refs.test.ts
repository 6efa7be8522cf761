import { readdir } from 'node:fs/promises'
import { beforeEach, expect, it } from 'vitest'
import { undefinedIfAbsent } from '@/server/kernel/fs/absent'
import { jobContext } from '@/server/services'
import { gitOk } from '@/testing/git'
import {
  type GitRepository,
  makeCommittedRepository,
  recordedEvents,
  refsOf,
  rowOf,
} from '@/testing/git-repository'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { pushesFolder } from '../storage/paths'
import type { RefUpdate } from './ref-update'
import { updateRefs } from './update-refs'

const site = useSite()
const zeros = '0'.repeat(40)
let repository: GitRepository & { commit: string }

const update = async (updates: RefUpdate[]) =>
  updateRefs(jobContext(site.services, 'test'), await rowOf(site, repository), updates)
const git = (...args: string[]) => gitOk(args, { cwd: repository.directory })

beforeEach(async () => {
  repository = await makeCommittedRepository(site, (await makePerson(site)).account)
  await git('branch', 'side', 'main')
})

it('updateRefs changes all refs and records the changes', async () => {
  const { commit } = repository
  await update([
    { ref: 'refs/heads/side', before: commit, after: zeros },
    { ref: 'refs/tags/v1', before: zeros, after: commit },
  ])
  expect(await refsOf(repository)).toEqual({ 'refs/heads/main': commit, 'refs/tags/v1': commit })
  const events = await recordedEvents(site, repository)
  expect(events.map(({ kind, facts }) => [kind, facts.ref])).toEqual([
    ['ref.deleted', 'refs/heads/side'],
    ['ref.created', 'refs/tags/v1'],
    ['git.pushed', 'refs/tags/v1'],
  ])
})

it.each([
  ['does not point to the expected object', 'refs/heads/main', '1'.repeat(40)],
  ['does not exist', 'refs/heads/absent', undefined],
])(
  'updateRefs changes and records nothing, and leaves no spool entry, if one ref %s',
  async (_, ref, before) => {
    const { commit } = repository
    const refs = await refsOf(repository)
    const updates = [
      { ref: 'refs/heads/side', before: commit, after: zeros },
      { ref, before: before ?? commit, after: zeros },
    ]
    await expect(update(updates)).rejects.toThrow(`cannot lock ref '${ref}'`)
    expect(await refsOf(repository)).toEqual(refs)
    expect(await recordedEvents(site, repository)).toEqual([])
    expect((await readdir(pushesFolder(site.services.config)).catch(undefinedIfAbsent)) ?? []).toEqual([])
  },
)

it('updateRefs deletes a symbolic branch without the branch to which it points', async () => {
  const { commit } = repository
  await git('symbolic-ref', 'refs/heads/alias', 'refs/heads/main')
  await update([{ ref: 'refs/heads/alias', before: commit, after: zeros }])
  expect(await refsOf(repository)).toEqual({ 'refs/heads/main': commit, 'refs/heads/side': commit })
})

it('updateRefs changes nothing, and leaves no spool entry, if the objects cannot be written', async () => {
  const refs = await refsOf(repository)
  const updates = [{ ref: 'refs/heads/side', before: repository.commit, after: '1'.repeat(40) }]
  const written = Promise.reject(new Error('no disk'))
  written.catch(() => undefined)
  const ctx = jobContext(site.services, 'test')
  await expect(updateRefs(ctx, await rowOf(site, repository), updates, { written })).rejects.toThrow(
    'no disk',
  )
  expect(await refsOf(repository)).toEqual(refs)
  expect(await recordedEvents(site, repository)).toEqual([])
  expect(await readdir(pushesFolder(site.services.config)).catch(undefinedIfAbsent)).toEqual([])
})

it('updateRefs records a change once, on the present state, if the repository was changed meanwhile', async () => {
  const { commit } = repository
  const row = await rowOf(site, repository)
  await site.db
    .updateTable('repositories')
    .set({ size_kib: 77, pushed_at: new Date(0) })
    .where('id', '=', repository.id)
    .execute()
  const updates = [{ ref: 'refs/heads/side', before: commit, after: zeros }]
  await updateRefs(jobContext(site.services, 'test'), row, updates, { written: Promise.resolve(2048) })
  expect((await recordedEvents(site, repository)).map(({ kind }) => kind)).toEqual(['ref.deleted'])
  expect(await rowOf(site, repository)).toMatchObject({ size_kib: 79, branch_count: 1 })
})
