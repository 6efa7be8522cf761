import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JobIds } from '@/db/testing/factories'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { createLog } from '@/server/kernel/log'
import { createDiskStorage } from '@/server/kernel/storage/disk/disk'
import { openStorage } from '@/server/kernel/storage/open'
import { startAzurite } from '@/server/kernel/storage/testing/azurite'
import { startS3rver } from '@/server/kernel/storage/testing/s3-servers'
import type { ObjectStorage } from '@/server/kernel/storage/types'
import { jobContext } from '@/server/services'
import { series } from '@/testing/series'
import { useSite } from '@/testing/site'
import type { UploadPermit } from '../signed-path'
import { commitBlocks } from './commit'
import { finalizeArtifact } from './finalize'
import { receiveAppended, receiveBlock, receiveWhole } from './receive'
import { makeJob, makePendingArtifact, type PendingArtifact } from './testing/pending'

const site = useSite()
const log = createLog('silent')

interface Opened {
  storage: ObjectStorage
  stop(): Promise<void>
}

async function onDisk(): Promise<Opened> {
  const directory = await mkdtemp(join(tmpdir(), 'guildhall-blocks-'))
  return { storage: createDiskStorage(directory, log), stop: () => rm(directory, { recursive: true }) }
}

const kinds: [string, () => Promise<Opened>][] = [
  ['disk', onDisk],
  ['azurite', async () => opened(await startAzurite())],
  ['s3rver', async () => opened(await startS3rver())],
]

async function opened({
  settings,
  stop,
}: {
  settings: Parameters<typeof openStorage>[0]
  stop(): Promise<void>
}): Promise<Opened> {
  return { storage: await openStorage(settings, log), stop }
}

describe.each(kinds)('an upload on %s', (kind, open) => {
  let storage: ObjectStorage
  let stop = async (): Promise<void> => undefined
  let ctx: ServiceCtx
  let job: JobIds
  beforeAll(async () => {
    ;({ storage, stop } = await open())
    ctx = { ...jobContext(site.services, 'test'), storage }
    job = await makeJob(site.db)
  })
  afterAll(() => stop())

  const pending = () => makePendingArtifact(site.db, job)
  const put = (permit: UploadPermit, name: string, bytes: Uint8Array) =>
    receiveBlock(ctx, permit, { name, body: from(bytes), length: bytes.length })
  const commit = (permit: UploadPermit, names: string[]) =>
    commitBlocks(
      ctx,
      permit,
      names.map(name => ({ from: 'latest', name })),
    )
  const finalize = ({ artifact }: PendingArtifact, bytes: Uint8Array) =>
    finalizeArtifact(ctx, { artifact, size: bytes.length, hash: hashOf(bytes) })

  async function expectStored({ artifact }: PendingArtifact, bytes: Uint8Array): Promise<void> {
    const stored = Buffer.concat(await (await storage.get(artifact.storage_key ?? '')).toArray())
    expect(stored.equals(bytes)).toBe(true)
  }

  it('becomes the artifact in the order of the block list, whatever the order of arrival', {
    tags: 'series',
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ minLength: 1, maxLength: 2000 }), { minLength: 1, maxLength: 8 }),
        fc.infiniteStream(fc.nat()),
        async (blocks, random) => {
          const made = await pending()
          const { ids, shuffled } = shuffle(blocks.length, random)
          for (const at of shuffled) await put(made.permit, ids[at] ?? '', blocks[at] ?? Buffer.alloc(0))
          await commit(made.permit, ids)
          const bytes = Buffer.concat(blocks)
          expect(await finalize(made, bytes)).toMatchObject({ status: 'finished', size: bytes.length })
          await expectStored(made, bytes)
        },
      ),
      { numRuns: kind === 'disk' ? series(10, 30) : series(3, 8) },
    )
  })

  it('keeps the block that was started last, even if an older one with the same ID completes later', async () => {
    const made = await pending()
    const [id = ''] = idsOf(1)
    let endOlder = (): void => undefined
    const older = new Promise<void>(resolve => {
      endOlder = resolve
    })
    const slow = receiveBlock(ctx, made.permit, {
      name: id,
      length: undefined,
      body: (async function* () {
        yield Buffer.from('old')
        await older
        yield Buffer.from('er')
      })(),
    })
    await wait(20)
    await put(made.permit, id, Buffer.from('newer'))
    endOlder()
    await slow
    await commit(made.permit, [id])
    await finalize(made, Buffer.from('newer'))
    await expectStored(made, Buffer.from('newer'))
  })

  it('replaces a block that has already been hashed', async () => {
    const made = await pending()
    const ids = idsOf(2)
    for (const text of ['first', 'other', 'again']) await put(made.permit, ids[0] ?? '', Buffer.from(text))
    await put(made.permit, ids[1] ?? '', Buffer.from(' and last'))
    await wait(20)
    await put(made.permit, ids[0] ?? '', Buffer.from('third'))
    await commit(made.permit, ids)
    await finalize(made, Buffer.from('third and last'))
    await expectStored(made, Buffer.from('third and last'))
  })

  it('can be empty', async () => {
    const made = await pending()
    await commit(made.permit, [])
    expect(await finalize(made, Buffer.alloc(0))).toMatchObject({ size: 0 })
    await expectStored(made, Buffer.alloc(0))
  })

  // The tests of each storage show that it composes as many parts, and reads them in order.
  it.runIf(kind === 'disk')('can name one block 50,000 times', async () => {
    const made = await pending()
    const [one = '', two = ''] = idsOf(2)
    const blocks = { [one]: Buffer.from('1'), [two]: Buffer.from('22') }
    for (const [id, bytes] of Object.entries(blocks)) await put(made.permit, id, bytes)
    const names = Array.from({ length: 50_000 }, (_, at) => (at % 100 === 0 ? two : one))
    await commit(made.permit, names)
    const bytes = Buffer.concat(names.map(name => blocks[name] ?? Buffer.alloc(0)))
    const { storage_key } = await finalize(made, bytes)
    expect(await storage.size(storage_key ?? '')).toBe(bytes.length)
  })

  it('cannot exceed the maximum artifact size by naming a block repeatedly', async () => {
    const made = await pending()
    const [one = ''] = idsOf(1)
    await put(made.permit, one, Buffer.alloc(100))
    const small = { ...ctx, config: { ...ctx.config, artifactMaxBytes: 250 } }
    const list = (times: number) =>
      Array.from({ length: times }, () => ({ from: 'latest', name: one }) as const)
    await expect(commitBlocks(small, made.permit, list(3))).rejects.toMatchObject({ kind: 'tooLarge' })
    await commitBlocks(small, made.permit, list(2))
    await finalize(made, Buffer.alloc(200))
  })

  it('cannot exceed the maximum artifact size if the client sent it directly to the storage', async () => {
    const made = await makePendingArtifact(site.db, job, { is_direct: true })
    const bytes = Buffer.alloc(100)
    await storage.put(made.artifact.storage_key ?? '', from(bytes))
    const { artifact } = made
    const small = { ...ctx, config: { ...ctx.config, artifactMaxBytes: 99 } }
    await expect(finalizeArtifact(small, { artifact, size: 100 })).rejects.toMatchObject({ kind: 'tooLarge' })
  })

  it.runIf(kind === 'azurite')(
    'stays as it was finalized, even if its client can still write to the storage',
    async () => {
      const made = await makePendingArtifact(site.db, job, { is_direct: true })
      const bytes = randomBytes(100)
      const address = made.artifact.storage_key ?? ''
      await storage.put(address, from(bytes))
      const artifact = await finalize(made, bytes)
      expect(artifact).toMatchObject({ status: 'finished', size: 100 })
      await storage.put(address, from(randomBytes(100)))
      await expectStored({ ...made, artifact }, bytes)
      expect(await finalize(made, bytes)).toEqual(artifact)
      const left = await site.db.selectFrom('unused_objects').select('storage_key').execute()
      expect(left.map(({ storage_key }) => storage_key)).toContain(address)
    },
  )

  it('discards blocks that a list does not name, and lists can be repeated', async () => {
    const made = await pending()
    const [one = '', two = ''] = idsOf(2)
    await put(made.permit, one, Buffer.from('one'))
    await put(made.permit, two, Buffer.from('two'))
    for (let times = 0; times < 2; times++) await commit(made.permit, [one])
    await expect(commit(made.permit, [one, two])).rejects.toMatchObject({ kind: 'invalid' })
    await put(made.permit, one, Buffer.from('new'))
    await commitBlocks(ctx, made.permit, [{ from: 'committed', name: one }])
    await finalize(made, Buffer.from('one'))
    await expectStored(made, Buffer.from('one'))
  })

  it('accepts a whole upload in one request, appended blocks, and a single block without a list', async () => {
    const whole = await pending()
    const body = (text: string) => ({ body: from(Buffer.from(text)), length: undefined })
    await receiveWhole(ctx, whole.permit, body('replaced'))
    await receiveWhole(ctx, whole.permit, body('whole'))
    await finalize(whole, Buffer.from('whole'))
    await expectStored(whole, Buffer.from('whole'))

    const appended = await pending()
    for (const text of ['a', 'bc', 'd']) await receiveAppended(ctx, appended.permit, body(text))
    await finalize(appended, Buffer.from('abcd'))
    await expectStored(appended, Buffer.from('abcd'))

    const single = await pending()
    await put(single.permit, idsOf(1)[0] ?? '', Buffer.from('single'))
    await finalize(single, Buffer.from('single'))
    await expectStored(single, Buffer.from('single'))
  })

  it('is not finalized with a wrong size or hash, and can then be corrected', async () => {
    const made = await pending()
    const [one = '', two = ''] = idsOf(2)
    const bytes = Buffer.from('right')
    await expect(finalize(made, bytes)).rejects.toMatchObject({ kind: 'preconditionFailed' })
    await put(made.permit, one, bytes)
    await put(made.permit, two, bytes)
    await expect(finalize(made, bytes)).rejects.toMatchObject({ kind: 'preconditionFailed' })
    await commit(made.permit, [one, two])
    await expect(finalize(made, bytes)).rejects.toMatchObject({ kind: 'invalid' })
    const twice = Buffer.concat([bytes, bytes])
    const { artifact } = made
    for (const hash of [hashOf(bytes), 'md5:00', 'sha256:'])
      await expect(finalizeArtifact(ctx, { artifact, size: 10, hash })).rejects.toMatchObject({
        kind: 'invalid',
      })
    expect(await finalize(made, twice)).toMatchObject({ size: 10, sha256: digest(twice) })
    await expectStored(made, twice)
  })

  it('is finalized once, however often this is requested, and is then immutable', async () => {
    const made = await pending()
    const [id = ''] = idsOf(1)
    const bytes = randomBytes(100_000)
    await put(made.permit, id, bytes)
    await commit(made.permit, [id])
    const all = await Promise.all(Array.from({ length: 5 }, () => finalize(made, bytes)))
    expect(new Set(all.map(row => row.id))).toEqual(new Set([made.artifact.id]))
    await finalize(made, bytes)
    await expect(finalize(made, Buffer.from('x'))).rejects.toMatchObject({ kind: 'alreadyExists' })
    await expect(put(made.permit, id, bytes)).rejects.toMatchObject({ kind: 'conflict' })
    await expect(commit(made.permit, [id])).rejects.toMatchObject({ kind: 'conflict' })
    await expectStored(made, bytes)
  })

  it('is finalized for a second call that had read it before the first one was done', async () => {
    const made = await pending()
    const [id = ''] = idsOf(1)
    const bytes = randomBytes(1_000)
    await put(made.permit, id, bytes)
    await commit(made.permit, [id])
    let release: () => void = () => undefined
    const isFirstDone = new Promise<void>(resolve => {
      release = resolve
    })
    const db = ctx.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: ({ result }) => isFirstDone.then(() => result),
    })
    const { artifact } = made
    const second = finalizeArtifact({ ...ctx, db }, { artifact, size: bytes.length, hash: hashOf(bytes) })
    await finalize(made, bytes)
    release()
    expect(await second).toMatchObject({ id: artifact.id, status: 'finished' })
  })

  it('continues after the process was killed between composing and recording', async () => {
    const made = await pending()
    const ids = idsOf(2)
    const bytes = Buffer.from('abcdef')
    for (const [at, id] of ids.entries()) await put(made.permit, id, bytes.subarray(3 * at, 3 * at + 3))
    await commit(made.permit, ids)
    const key = made.artifact.storage_key ?? ''
    const cut = { ...ctx, storage: { ...storage, compose: killedAfter(storage) } }
    const { artifact } = made
    await expect(finalizeArtifact(cut, { artifact, size: 6, hash: hashOf(bytes) })).rejects.toThrow('killed')
    expect(await storage.size(key)).toBe(6)
    expect(await finalize(made, bytes)).toMatchObject({ status: 'finished' })
    await expectStored(made, bytes)
  })
})

const killedAfter =
  (storage: ObjectStorage): ObjectStorage['compose'] =>
  async (key, parts) => {
    await storage.compose(key, parts)
    throw new Error('killed')
  }

async function* from(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes
}

/** Block IDs as the official client makes them. */
function idsOf(count: number): string[] {
  const uuid = randomUUID()
  return Array.from({ length: count }, (_, at) =>
    Buffer.from(uuid + String(at).padStart(12, '0')).toString('base64'),
  )
}

function shuffle(count: number, random: Iterator<number>): { ids: string[]; shuffled: number[] } {
  const order = Array.from({ length: count }, (_, at) => ({ at, key: Number(random.next().value) }))
  return { ids: idsOf(count), shuffled: order.sort((a, b) => a.key - b.key).map(({ at }) => at) }
}

const digest = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()
const hashOf = (bytes: Uint8Array): string => `sha256:${digest(bytes).toString('hex')}`
