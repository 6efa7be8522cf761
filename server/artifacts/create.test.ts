import { beforeAll, describe, expect, it, vi } from 'vitest'
import { makeArtifact } from '@/db/testing/factories'
import type { JobCtx } from '@/server/kernel/ctx'
import { createTestRun, endTestJob, jobCtx, type TestRun } from '@/testing/actions'
import { useSite } from '@/testing/site'
import { createArtifact, type NewArtifact, type UploadAddress } from './create'
import { checkUpload, parseUploadPath } from './signed-path'
import { type ArtifactRow, findArtifact, findUpload } from './store'

const site = useSite({ artifactRetentionDays: 10 })
const hourMs = 3_600_000
let run: TestRun
let build: JobCtx
let test: JobCtx

beforeAll(async () => {
  run = await createTestRun(site, { jobs: ['build', 'test'] })
  const [first, second] = run.jobs
  build = await jobCtx(site, first)
  test = await jobCtx(site, second ?? first)
})

type Input = Partial<NewArtifact> & { name: string }

const create = (ctx: JobCtx, input: Input): Promise<UploadAddress> => {
  const { runId, jobId } = ctx.caller
  const ids = { runId: String(runId), jobId: String(jobId) }
  return createArtifact(ctx, { ...ids, mimeType: undefined, expiresAt: undefined, ...input })
}

async function created(ctx: JobCtx, input: Input): Promise<ArtifactRow> {
  const address = await create(ctx, input)
  const path = 'path' in address ? address.path.split('?')[0] : undefined
  const artifact = await findArtifact(site.db, parseUploadPath(path ?? '')?.artifactId ?? 0)
  if (!artifact) throw new Error('not created')
  return artifact
}

const idOf = async (ctx: JobCtx, input: Input): Promise<number> => (await created(ctx, input)).id

async function finish(id: number): Promise<void> {
  const change = { status: 'finished', sha256: Buffer.alloc(32) } as const
  await site.db.updateTable('artifacts').set(change).where('id', '=', id).execute()
}

const inUse = (job: string, verb: string) => ({
  kind: 'alreadyExists',
  message: `an artifact with this name already exists on the workflow run: the job "${job}" ${verb} it`,
})

describe('a new artifact', () => {
  it("is pending, with an upload URL that is valid until the job's token expires", async () => {
    const address = await create(build, { name: 'signed' })
    const [path = '', query = ''] = ('path' in address ? address.path : '').split('?')
    const permit = parseUploadPath(path)
    if (!permit) throw new Error('not a path of uploads')
    expect(checkUpload(build, permit, query)).toBe('valid')
    const expiry = run.jobs[0].task.expires_at
    expect(permit).toMatchObject({ taskId: build.caller.taskId, expires: expiry.getTime() / 1000 })
    expect(await findUpload(site.db, permit.artifactId)).toMatchObject({
      task_id: build.caller.taskId,
      is_direct: false,
      expires_at: expiry,
    })
    expect(await findArtifact(site.db, permit.artifactId)).toMatchObject({
      status: 'pending',
      attempt: 1,
      job_id: build.caller.jobId,
    })
  })

  it('is uploaded directly to the storage if it serves files and can sign upload URLs', async () => {
    const url = 'https://storage.example/container/key?sig=x'
    const sign = vi.spyOn(build.storage, 'signedUploadUrl').mockResolvedValue(url)
    expect(await create(build, { name: 'served by us' })).not.toEqual({ url })
    const direct = { ...build, config: { ...build.config, serveDirect: true } }
    expect(await create(direct, { name: 'direct' })).toEqual({ url })
    const [key, seconds] = sign.mock.calls[0] ?? []
    expect(seconds).toBeGreaterThan(3.9 * 3600)
    const made = await site.db
      .selectFrom('artifacts')
      .innerJoin('artifact_uploads', 'artifact_id', 'id')
      .select(['storage_key', 'is_direct'])
      .where('name', '=', 'direct')
      .execute()
    expect(made).toEqual([{ storage_key: key, is_direct: true }])
    sign.mockRestore()
  })

  it('has the announced type without parameters, and is a zip if none can be parsed', async () => {
    const types = [
      [undefined, 'application/zip'],
      ['', 'application/zip'],
      ['zip', 'application/zip'],
      ['text/', 'application/zip'],
      ['text/plain\r\nX-Header: 1', 'application/zip'],
      ['Application/X-Zip-Compressed', 'application/zip'],
      ['Text/HTML; charset=utf-8', 'text/html'],
      ['image/svg+xml', 'image/svg+xml'],
      ['application/x-7z-compressed', 'application/x-7z-compressed'],
    ] as const
    for (const [mimeType, content_type] of types)
      expect(await created(build, { name: 'typed', mimeType }), mimeType).toMatchObject({ content_type })
  })

  it("expires at the requested time, but in an hour at the earliest and within the site's retention period", async () => {
    const now = Date.parse('2026-11-22T12:00:00.123Z')
    const frozen = { ...build, clock: { now: () => new Date(now) } }
    const expiry = async (expiresAt: Date | undefined) =>
      (await created(frozen, { name: 'expiring', expiresAt })).expires_at.getTime()
    const exact = new Date(now + 24 * hourMs + 456)
    expect(await expiry(exact)).toBe(exact.getTime())
    const last = now + 10 * 24 * hourMs
    for (const at of [undefined, new Date(last + 1), new Date(8.64e15)]) expect(await expiry(at)).toBe(last)
    for (const at of [new Date(now), new Date(0), new Date(-8.64e15)])
      expect(await expiry(at)).toBe(now + hourMs)
  })

  it('is refused for a name that the stock client would reject', async () => {
    await expect(create(build, { name: 'a/b' })).rejects.toMatchObject({ kind: 'invalid' })
  })

  it('is refused once the job has 500, not counting deleted and expired ones', async () => {
    const full = await createTestRun(site, { alongside: run })
    const [{ job }] = full.jobs
    const ctx = await jobCtx(site, full.jobs[0])
    const { id, ...first } = await makeArtifact(site.db, job)
    const more = Array.from({ length: 498 }, (_, index) => ({
      ...first,
      name: `${index}`,
      storage_key: `${index}`,
    }))
    await site.db.insertInto('artifacts').values(more).execute()
    await makeArtifact(site.db, job, { status: 'expired', storage_key: null })
    await create(ctx, { name: 'last' })
    await create(ctx, { name: 'last' })
    const refusal = { kind: 'exhausted', message: expect.stringContaining('at most 500 artifacts') }
    await expect(create(ctx, { name: 'one more' })).rejects.toMatchObject(refusal)
  })
})

describe('the name of a new artifact', () => {
  it('is in use if any job has finished an artifact of that name, and the error names the job', async () => {
    await finish(await idOf(build, { name: 'finished' }))
    for (const ctx of [build, test])
      await expect(create(ctx, { name: 'finished' })).rejects.toMatchObject(inUse('build', 'uploaded'))
  })

  it('is free for a job that is already uploading an artifact of that name, whose upload starts over', async () => {
    const first = await idOf(build, { name: 'again' })
    const second = await idOf(build, { name: 'again' })
    expect(second).not.toBe(first)
    expect(await findArtifact(site.db, first)).toBeUndefined()
  })

  it('is in use while another job uploads an artifact of that name, and free once that upload cannot continue', async () => {
    const over = await createTestRun(site, { jobs: ['one', 'two'], alongside: run })
    const [first, second] = over.jobs
    if (!second) throw new Error('no second job')
    const [one, two] = [await jobCtx(site, first), await jobCtx(site, second)]
    const [ended, late] = [await idOf(one, { name: 'ended' }), await idOf(one, { name: 'late' })]
    for (const name of ['ended', 'late'])
      await expect(create(two, { name })).rejects.toMatchObject(inUse('one', 'is uploading'))
    await site.db
      .updateTable('artifact_uploads')
      .set({ expires_at: new Date() })
      .where('artifact_id', '=', late)
      .execute()
    expect(await idOf(two, { name: 'late' })).not.toBe(late)
    await endTestJob(site, over, first)
    expect(await idOf(two, { name: 'ended' })).not.toBe(ended)
  })

  it('is free from the moment at which the earlier artifact expires, which is still listed', async () => {
    const old = await idOf(build, { name: 'old' })
    await finish(old)
    await site.db.updateTable('artifacts').set({ expires_at: new Date() }).where('id', '=', old).execute()
    expect(await idOf(test, { name: 'old' })).not.toBe(old)
    expect(await findArtifact(site.db, old)).toMatchObject({ status: 'expired', storage_key: null })
  })

  it('goes to exactly one of two jobs that create it at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const name = `race ${round}`
      const results = await Promise.allSettled([build, test].map(ctx => create(ctx, { name })))
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      const refused = results.find(result => result.status === 'rejected')
      expect(refused?.reason).toMatchObject({ kind: 'alreadyExists' })
    }
  })
})
