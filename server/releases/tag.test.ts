import { beforeEach, expect, it, vi } from 'vitest'
import { makeRelease } from '@/db/testing/factories'
import type { UserCaller } from '@/server/kernel/caller'
import { recordPush } from '@/server/repos/push/record'
import { newStorageKey } from '@/server/repos/storage'
import { jobContext, requestContext } from '@/server/services'
import { gitOk } from '@/testing/git'
import { makeCommittedRepository } from '@/testing/git-repository'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { createRelease } from './create'
import { editRelease } from './edit'
import { loadRelease, loadReleases } from './load'

const site = useSite()

// If set, runs once, after the tag was found and before the release is changed.
let meanwhile: (() => Promise<void>) | undefined
vi.mock(import('@/server/repos'), async importOriginal => {
  const repos = await importOriginal()
  const ensureTag: typeof repos.ensureTag = async (...args) => {
    const tag = await repos.ensureTag(...args)
    const run = meanwhile
    meanwhile = undefined
    await run?.()
    return tag
  }
  return { ...repos, ensureTag }
})
beforeEach(() => {
  meanwhile = undefined
})

async function makeScene() {
  const { account, name: owner } = await makePerson(site)
  const repository = await makeCommittedRepository(site, account)
  const git = (...args: string[]) => gitOk(args, { cwd: repository.directory })
  await git('update-ref', 'refs/tags/v1', 'main')
  meanwhile = async () => {
    const before = await git('rev-parse', 'v1')
    await git('update-ref', '-d', 'refs/tags/v1')
    const note = { key: newStorageKey(), repositoryId: repository.id, actorId: account.id }
    const around = { remoteAddress: '', requestId: 'test', startedAt: new Date() }
    const update = { ref: 'refs/tags/v1', before, after: '0'.repeat(40) }
    await recordPush(jobContext(site.services, 'test'), { ...note, ...around }, [update])
  }
  const caller: UserCaller = { kind: 'user', user: account, credential: { kind: 'password' } }
  const request = requestContext(site.services, { remoteAddress: '127.0.0.1', requestId: 'test' })
  const path = { owner, repo: repository.name }
  return { ctx: { ...request, caller }, path, repository, git }
}

it('createRelease creates the tag again if a push deletes it before the release is inserted', async () => {
  const { ctx, path, repository, git } = await makeScene()
  const input = { tag_name: 'v1', target_commitish: 'main' }
  const release = await createRelease(ctx, await loadReleases(ctx, path, 'write'), input)
  expect(release).toMatchObject({ tag_name: 'v1', draft: false })
  expect(await git('rev-parse', 'refs/tags/v1')).toBe(repository.commit)
})

it('editRelease creates the tag again if a push deletes it while a draft is being published', async () => {
  const { ctx, path, repository, git } = await makeScene()
  const { id } = await makeRelease(site.db, repository.id, { tag_name: 'v1', is_draft: true, target: 'main' })
  const release = await editRelease(ctx, await loadRelease(ctx, { ...path, id }, 'write'), { draft: false })
  expect(release).toMatchObject({ tag_name: 'v1', draft: false })
  expect(await git('rev-parse', 'refs/tags/v1')).toBe(repository.commit)
})
