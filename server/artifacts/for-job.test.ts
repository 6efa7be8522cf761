import { beforeAll, describe, expect, it, vi } from 'vitest'
import { makeArtifact } from '@/db/testing/factories'
import type { JobCtx } from '@/server/kernel/ctx'
import { createTestRun, jobCtx, type TestJob, type TestRun } from '@/testing/actions'
import { useSite } from '@/testing/site'
import { createArtifact } from './create'
import { deleteForJob } from './delete'
import { finalizeForJob } from './finalize-for-job'
import type { CalledFor } from './for-job'
import { listForJob } from './list-for-job'
import { checkDownload, parseDownloadPath } from './signed-path'
import { signForJob } from './signed-url'
import { findArtifact, findUpload } from './store'

const site = useSite()
const hourMs = 3_600_000
let run: TestRun
let first: TestJob
let second: TestJob
let ctx: JobCtx
let own: CalledFor

beforeAll(async () => {
  run = await createTestRun(site, { jobs: ['build', 'test'] })
  const [one, two = one] = run.jobs
  first = one
  second = two
  ctx = await jobCtx(site, one)
  own = idsOf(one)
})

const idsOf = ({ job }: TestJob): CalledFor => ({ runId: String(job.run_id), jobId: String(job.id) })

async function listed(of = ctx, filter: { name?: string; id?: number } = {}): Promise<string[]> {
  const { runId, jobId } = of.caller
  const ids = { runId: String(runId), jobId: String(jobId) }
  const found = await listForJob(of, { ...ids, name: filter.name, id: filter.id })
  return found.map(({ name }) => name)
}

const create = (name: string) =>
  createArtifact(ctx, { ...own, name, mimeType: undefined, expiresAt: undefined })

describe('the artifacts that a job sees', () => {
  it('are the complete and unexpired artifacts of all jobs of its run, sorted by ID', async () => {
    const testRun = await createTestRun(site, { jobs: ['a', 'b'], alongside: run })
    const [a, b = a] = testRun.jobs
    const otherRun = await createTestRun(site, { alongside: run })
    await makeArtifact(site.db, otherRun.jobs[0].job, { name: 'of another run' })
    await makeArtifact(site.db, b.job, { name: 'z' })
    const { id } = await makeArtifact(site.db, a.job, { name: 'y' })
    const expiry = new Date(Date.now() + hourMs)
    await makeArtifact(site.db, a.job, { name: 'x', expires_at: expiry })
    await makeArtifact(site.db, a.job, { name: 'expired', status: 'expired', storage_key: null })
    await makeArtifact(site.db, a.job, { name: 'pending', status: 'pending', sha256: null })
    const from = await jobCtx(site, a)
    expect(await listed(from)).toEqual(['z', 'y', 'x'])
    expect(await listed({ ...from, clock: { now: () => expiry } })).toEqual(['z', 'y'])
    expect(await listed(from, { name: 'y' })).toEqual(['y'])
    expect(await listed(from, { id })).toEqual(['y'])
    expect(await listed(from, { id, name: 'z' })).toEqual([])
    for (const name of ['Y', 'pending', 'of another run', '', '\0', 'a/b'])
      expect(await listed(from, { name })).toEqual([])
    for (const wrong of [0, -1, 2 ** 63, 1e300]) expect(await listed(from, { id: wrong })).toEqual([])
  })

  it('include, in a later attempt, those of jobs that it did not rerun, and the newest of each name', async () => {
    const other = await createTestRun(site, { jobs: ['kept', 'again'], alongside: run })
    const [kept, again = kept] = other.jobs
    await makeArtifact(site.db, kept.job, { name: 'of the kept job' })
    await makeArtifact(site.db, kept.job, { name: 'shared' })
    await makeArtifact(site.db, again.job, { name: 'of the replaced job' })
    const { id, started_at, completed_at, created_at, updated_at, ...job } = again.job
    const fields = {
      ...job,
      matrix: null,
      template: null,
      concurrency: null,
      call: null,
      permissions: null,
      needs: '[]',
      labels: '[]',
      attempt: 2,
    }
    const newer = await site.db
      .insertInto('workflow_jobs')
      .values({ ...fields, started_at, completed_at })
      .returningAll()
      .executeTakeFirstOrThrow()
    const { id: newest } = await makeArtifact(site.db, newer, { name: 'shared' })
    await makeArtifact(site.db, newer, { name: 'new' })
    const later = await jobCtx(site, again)
    const second = { ...later, caller: { ...later.caller, jobId: newer.id, attempt: 2 } }
    expect(await listed(second)).toEqual(['of the kept job', 'shared', 'new'])
    expect(await listed(second, { id: newest })).toEqual(['shared'])
    expect(await listed(later)).toEqual(['of the kept job', 'shared', 'of the replaced job'])
  })

  it('are found by the ID of the job itself or of the job that created them, as in the list', async () => {
    await makeArtifact(site.db, second.job, { name: 'by either' })
    for (const ids of [own, idsOf(second)])
      expect(await signForJob(ctx, ids, 'by either')).toHaveProperty('path')
    const wrong = { kind: 'forbidden' }
    const stranger = await createTestRun(site, { alongside: run })
    for (const ids of [idsOf(stranger.jobs[0]), { ...own, jobId: String(stranger.jobs[0].job.id) }]) {
      await expect(signForJob(ctx, ids, 'by either')).rejects.toMatchObject(wrong)
      await expect(deleteForJob(ctx, ids, 'by either')).rejects.toMatchObject(wrong)
      await expect(listForJob(ctx, { ...ids, name: undefined, id: undefined })).rejects.toMatchObject(wrong)
    }
    await expect(listForJob(ctx, { ...idsOf(second), name: undefined, id: undefined })).rejects.toMatchObject(
      wrong,
    )
  })
})

describe('the URL of a download', () => {
  it('is signed for an hour, and ends in .zip only for a zip', async () => {
    const { id } = await makeArtifact(site.db, first.job, { name: 'a zip' })
    await makeArtifact(site.db, first.job, { name: 'text.zip', content_type: 'text/plain' })
    const now = Date.parse('2026-11-22T12:00:00.900Z')
    const frozen = { ...ctx, clock: { now: () => new Date(now) } }
    const signed = await signForJob(frozen, own, 'a zip')
    const [path = '', query = ''] = ('path' in signed ? signed.path : '').split('?')
    const permit = parseDownloadPath(path)
    expect(permit).toEqual({ artifactId: id, expires: Math.floor(now / 1000) + 3600, isZip: true })
    expect(permit && checkDownload(frozen, permit, query)).toBe('valid')
    const text = await signForJob(ctx, own, 'text.zip')
    expect('path' in text && text.path.split('?')[0]).not.toMatch(/zip$/)
  })

  it('points to the storage if that serves files, with type and name, and is not valid beyond the expiry', async () => {
    const url = 'https://storage.example/key?sig=x'
    const sign = vi.spyOn(site.services.storage, 'signedUrl').mockResolvedValue(url)
    const direct = { ...ctx, config: { ...ctx.config, serveDirect: true } }
    const expires_at = new Date(Date.now() + 10 * 60_000)
    const { storage_key } = await makeArtifact(site.db, first.job, { name: 'ü', expires_at })
    expect(await signForJob(direct, own, 'ü')).toEqual({ url })
    expect(sign).toHaveBeenLastCalledWith(storage_key, {
      contentType: 'application/zip',
      contentDisposition: `attachment; filename="_.zip"; filename*=UTF-8''%C3%BC.zip`,
      expiresInSeconds: 600,
    })
    await makeArtifact(site.db, first.job, { name: 'long' })
    await signForJob(direct, own, 'long')
    expect(sign.mock.lastCall?.[1].expiresInSeconds).toBe(3600)
    sign.mockResolvedValue(undefined)
    expect(await signForJob(direct, own, 'long')).toHaveProperty('path')
    sign.mockRestore()
  })
})

describe('deleting an artifact', () => {
  it('frees its name immediately and leaves its object to the sweep', async () => {
    const { id, storage_key } = await makeArtifact(site.db, second.job, { name: 'deleted' })
    await expect(create('deleted')).rejects.toMatchObject({ kind: 'alreadyExists' })
    expect(await deleteForJob(ctx, own, 'deleted')).toMatchObject({ id })
    await create('deleted')
    expect(await findArtifact(site.db, id)).toBeUndefined()
    const left = site.db
      .selectFrom('unused_objects')
      .select('storage_key')
      .where('storage_key', '=', storage_key)
    expect(await left.execute()).toHaveLength(1)
  })

  it('aborts an upload of the job itself, but not one of another job', async () => {
    const address = await create('aborted')
    const path = 'path' in address ? address.path : ''
    const id = Number(/(\d+)-/.exec(path)?.[1])
    expect(await findUpload(site.db, id)).toBeDefined()
    const other = await jobCtx(site, second)
    await expect(deleteForJob(other, idsOf(second), 'aborted')).rejects.toMatchObject({ kind: 'notFound' })
    expect(await deleteForJob(ctx, own, 'aborted')).toMatchObject({ id })
    expect(await findUpload(site.db, id)).toBeUndefined()
  })

  it('succeeds for only one of two concurrent calls', async () => {
    await makeArtifact(site.db, first.job, { name: 'once' })
    const results = await Promise.allSettled([1, 2].map(() => deleteForJob(ctx, own, 'once')))
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(results.find(result => result.status === 'rejected')?.reason).toMatchObject({ kind: 'notFound' })
  })
})

it('artifacts cannot be changed if their repository was archived while the job runs', async () => {
  const { jobs, repository } = await createTestRun(site, { alongside: run })
  const [job] = jobs
  const of = { ...idsOf(job), mimeType: undefined, expiresAt: undefined }
  const from = await jobCtx(site, job)
  await createArtifact(from, { ...of, name: 'begun' })
  await makeArtifact(site.db, job.job, { name: 'finished' })
  await site.db
    .updateTable('repositories')
    .set({ archived_at: new Date() })
    .where('id', '=', repository.id)
    .execute()
  const refusal = { kind: 'forbidden', message: expect.stringMatching(/archived/) }
  await expect(createArtifact(from, { ...of, name: 'new' })).rejects.toMatchObject(refusal)
  const bytes = { name: 'begun', size: 0, hash: undefined }
  await expect(finalizeForJob(from, { ...of, ...bytes })).rejects.toMatchObject(refusal)
  await expect(deleteForJob(from, of, 'begun')).rejects.toMatchObject(refusal)
  await expect(deleteForJob(from, of, 'finished')).rejects.toMatchObject(refusal)
  expect(await listed(from)).toEqual(['finished'])
  expect(await signForJob(from, of, 'finished')).toMatchObject({ path: expect.any(String) })
})
