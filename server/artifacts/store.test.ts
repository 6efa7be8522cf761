import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type JobIds, makeRepository, makeRunningJob, makeUser } from '@/db/testing/factories'
import { reserveObject } from '@/server/kernel/storage/unused'
import { useSite } from '@/testing/site'
import {
  type ArtifactRow,
  countArtifactsOfJob,
  deleteArtifact,
  expireArtifact,
  findArtifact,
  findNamedArtifact,
  findUpload,
  insertArtifact,
  insertUpload,
  lockNamedArtifact,
} from './store'

const site = useSite()
const later = new Date(Date.now() + 3_600_000)
let repositoryId: number
let job: JobIds

beforeAll(async () => {
  repositoryId = (await makeRepository(site.db, (await makeUser(site.db)).id)).id
  job = await makeRunningJob(site.db, repositoryId)
})

const key = () => randomBytes(16).toString('hex')

function insert(name: string, { task_id, ...ids } = job): Promise<ArtifactRow | undefined> {
  return site.db.transaction().execute(async trx => {
    const storage_key = key()
    const row = { ...ids, name, status: 'pending', content_type: 'application/zip' } as const
    const made = await insertArtifact(trx, { ...row, sha256: null, storage_key, expires_at: later })
    if (!made) return undefined
    await reserveObject(trx, storage_key, later)
    await insertUpload(trx, { artifact_id: made.id, task_id, block_order: null, expires_at: later })
    return made
  })
}

async function finish(id: number): Promise<void> {
  const sha256 = Buffer.alloc(32)
  await site.db.updateTable('artifacts').set({ status: 'finished', sha256 }).where('id', '=', id).execute()
}

const change = <T>(run: (trx: Parameters<typeof deleteArtifact>[0]) => Promise<T>): Promise<T> =>
  site.db.transaction().execute(run)

describe('the name of an artifact', () => {
  it('is in use in its attempt from the start of the upload, and is case-sensitive', async () => {
    const made = await insert('dist')
    expect(await insert('dist')).toBeUndefined()
    expect(await insert('Dist')).toBeDefined()
    expect(await insert('dist', { ...job, attempt: 2 })).toBeDefined()
    expect(await findNamedArtifact(site.db, { runId: job.run_id, attempt: 1 }, 'dist')).toEqual(made)
    expect(await findNamedArtifact(site.db, { runId: job.run_id, attempt: 3 }, 'dist')).toBeUndefined()
  })

  it('is free once the artifact has expired, which is kept', async () => {
    const made = await insert('old')
    if (!made) throw new Error('not inserted')
    await finish(made.id)
    expect(
      await change(trx => lockNamedArtifact(trx, { runId: job.run_id, attempt: 1 }, 'old')),
    ).toBeDefined()
    await change(trx => expireArtifact(trx, made.id))
    expect(await insert('old')).toBeDefined()
    expect(await findArtifact(site.db, made.id)).toMatchObject({ status: 'expired', storage_key: null })
    const left = await site.db
      .selectFrom('unused_objects')
      .select('storage_key')
      .where('storage_key', '=', made.storage_key)
      .execute()
    expect(left).toHaveLength(1)
  })

  it('is free once the artifact is deleted together with its upload', async () => {
    const made = await insert('gone')
    if (!made) throw new Error('not inserted')
    expect(await findUpload(site.db, made.id)).toMatchObject({ task_id: job.task_id, parts: 0, received: 0 })
    await change(trx => deleteArtifact(trx, made.id))
    expect(await findUpload(site.db, made.id)).toBeUndefined()
    expect(await insert('gone')).toBeDefined()
  })
})

it('counting the artifacts of a job excludes expired ones and those of other jobs', async () => {
  const own = await makeRunningJob(site.db, repositoryId)
  const [first] = [await insert('a', own), await insert('b', own)]
  expect(await countArtifactsOfJob(site.db, own.job_id)).toBe(2)
  if (first) await change(trx => expireArtifact(trx, first.id))
  expect(await countArtifactsOfJob(site.db, own.job_id)).toBe(1)
})
