import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createLog } from '@/server/kernel/log'
import { createDiskStorage } from '@/server/kernel/storage/disk/disk'
import { jobContext } from '@/server/services'
import { useSite } from '@/testing/site'
import { finalizeArtifact } from './finalize'
import { receiveWhole } from './receive'
import { makeJob, makePendingArtifact } from './testing/pending'

const site = useSite()

it('finalizeArtifact hashes blocks again after a crash between sealing and composing, because they may be damaged', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'guildhall-finalize-'))
  const disk = createDiskStorage(directory, createLog('silent'))
  const stopping = { ...disk, compose: () => Promise.reject(new Error('the system stopped')) }
  const { artifact, permit } = await makePendingArtifact(site.db, await makeJob(site.db))
  const ctx = jobContext(site.services, 'test')
  const finalize = (storage: typeof disk) => {
    const hash = `sha256:${createHash('sha256').update('whole').digest('hex')}`
    return finalizeArtifact({ ...ctx, storage }, { artifact, size: 5, hash })
  }
  async function* body() {
    yield Buffer.from('whole')
  }
  await receiveWhole({ ...ctx, storage: disk }, permit, { body: body(), length: 5 })
  await expect(finalize(stopping)).rejects.toThrow('the system stopped')
  const block = join(directory, 'parts', artifact.storage_key ?? '', '0')
  await writeFile(block, '\0\0\0\0\0')
  await expect(finalize(disk)).rejects.toMatchObject({ kind: 'invalid' })
  await writeFile(block, 'whole')
  expect(await finalize(disk)).toMatchObject({ status: 'finished', size: 5 })
  await rm(directory, { recursive: true })
})
