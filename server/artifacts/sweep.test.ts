import { createHash } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import type { JobIds } from '@/db/testing/factories'
import { jobContext } from '@/server/services'
import { useSite } from '@/testing/site'
import { findArtifact } from './store'
import { sweepArtifactsJob } from './sweep'
import { finalizeArtifact } from './uploads/finalize'
import { receiveWhole } from './uploads/receive'
import { makeJob, makePendingArtifact } from './uploads/testing/pending'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const site = useSite()
let job: JobIds
beforeAll(async () => {
  job = await makeJob(site.db)
})

const ctx = () => jobContext(site.services, 'test')
const sweep = () => sweepArtifactsJob.run(ctx(), new AbortController().signal)
const later = (ms: number) => site.now.set(new Date(Date.now() + ms))

it("the sweep keeps an artifact until it expires, then marks it as expired and leaves its object to the storage's sweep", async () => {
  const { artifact, permit } = await makePendingArtifact(site.db, job)
  const body = (async function* () {
    yield Buffer.from('x')
  })()
  await receiveWhole(ctx(), permit, { body, length: 1 })
  const hash = `sha256:${createHash('sha256').update('x').digest('hex')}`
  await finalizeArtifact(ctx(), { artifact, size: 1, hash })
  expect(await sweep()).toEqual({ expired: 0, abandoned: 0 })
  later(hourMs + minuteMs)
  expect(await sweep()).toEqual({ expired: 1, abandoned: 0 })
  expect(await findArtifact(site.db, artifact.id)).toMatchObject({ status: 'expired', storage_key: null })
  expect(await unusedKeys()).toContain(artifact.storage_key)
  expect(await sweep()).toEqual({ expired: 0, abandoned: 0 })
})

it('the sweep deletes an unfinished upload some time after its URL has expired', async () => {
  site.now.set(undefined)
  const { artifact } = await makePendingArtifact(site.db, job)
  later(hourMs + 14 * minuteMs)
  expect(await sweep()).toEqual({ expired: 0, abandoned: 0 })
  later(hourMs + 16 * minuteMs)
  expect(await sweep()).toEqual({ expired: 0, abandoned: 1 })
  expect(await findArtifact(site.db, artifact.id)).toBeUndefined()
  expect(await unusedKeys()).toContain(artifact.storage_key)
})

async function unusedKeys(): Promise<string[]> {
  const rows = await site.db.selectFrom('unused_objects').select('storage_key').execute()
  return rows.map(row => row.storage_key)
}
