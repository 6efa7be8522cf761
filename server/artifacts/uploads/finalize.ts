import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { affectedRows } from '@/db/sql'
import { withTransaction } from '@/db/transaction'
import { announceRun } from '@/server/actions'
import type { ServiceCtx } from '@/server/kernel/ctx'
import {
  alreadyExists,
  conflict,
  deleted,
  invalid,
  preconditionFailed,
  tooLarge,
  unavailable,
} from '@/server/kernel/errors'
import { newObjectKey } from '@/server/kernel/storage/key'
import type { Part } from '@/server/kernel/storage/types'
import { claimObject, holdObject } from '@/server/kernel/storage/unused'
import { type ArtifactRow, findArtifact, findUpload, type UploadRow } from '../store'
import { type BlockRow, sealUpload, selectBlocks } from './block-store'
import { digestOf, forgetDigest } from './digest'

type FinalizeCtx = Pick<ServiceCtx, 'db' | 'storage' | 'clock' | 'config' | 'log'>

/** Size and hash that the client announces for the bytes it has sent. */
export interface Announced {
  artifact: Pick<ArtifactRow, 'id'>
  size: number
  /** `sha256:` and 64 hexadecimal digits. */
  hash?: string | undefined
}

/** Upload with the key of its object. */
interface Upload extends UploadRow {
  storageKey: string
}

// Shorter than proxies and clients wait for a response.
const timeoutMs = 100_000
const working = new Map<number, Promise<void>>()

/**
 * Turns the upload of an artifact into the finished artifact. Can be repeated. After a wrong size or hash the
 * blocks are kept, so that the client can correct its request.
 * @throws {DomainError} invalid if the size or hash does not match the blocks; preconditionFailed if nothing
 * was uploaded; alreadyExists if the artifact is finished with another size or hash; notFound if it was
 * deleted; tooLarge; unavailable if hashing takes long, which a repeated call waits for; and as
 * `ObjectStorage.compose`.
 */
export async function finalizeArtifact(
  ctx: FinalizeCtx,
  { artifact: { id }, size, hash }: Announced,
): Promise<ArtifactRow> {
  const sha256 = parseHash(hash)
  // Another call in this process may be finalizing the artifact already. If it fails, this call repeats the
  // work and reports the error.
  await withTimeout(working.get(id)?.catch(() => undefined))
  const known = await findArtifact(ctx.db, id)
  if (!known) throw deleted('artifact')
  if (known.status === 'pending') await withTimeout(begin(ctx, known, { size, sha256 }))
  const finished = known.status === 'pending' ? await findArtifact(ctx.db, id) : known
  if (!finished) throw deleted('artifact')
  requireSame(finished, size, sha256)
  return finished
}

function parseHash(hash: string | undefined): Buffer | undefined {
  if (!hash) return undefined
  const hex = /^sha256:([0-9a-f]{64})$/i.exec(hash)?.[1]
  if (!hex) throw invalid('the hash must be "sha256:" followed by 64 hex digits')
  return Buffer.from(hex, 'hex')
}

function requireSame(finished: ArtifactRow, size: number, sha256: Buffer | undefined): void {
  if (finished.size === size && (!sha256 || finished.sha256?.equals(sha256))) return
  throw alreadyExists('the artifact is already finished with a different size or hash')
}

async function withTimeout(work: Promise<void> | undefined): Promise<void> {
  if (!work) return
  const giveUp = new AbortController()
  const { signal } = giveUp
  const tooLong = wait(timeoutMs, undefined, { signal, ref: false }).then(() => {
    throw unavailable('the artifact is still being verified; try again', { retryAfterSeconds: 5 })
  })
  try {
    await Promise.race([work, tooLong])
  } finally {
    tooLong.catch(() => undefined)
    giveUp.abort()
  }
}

type Expected = { size: number; sha256: Buffer | undefined }

function begin(ctx: FinalizeCtx, artifact: ArtifactRow, expected: Expected): Promise<void> {
  const { id } = artifact
  const other = working.get(id)
  if (other) return other
  const work = finalize(ctx, artifact, expected).finally(() => {
    if (working.get(id) === work) working.delete(id)
  })
  working.set(id, work)
  work.catch(() => undefined)
  return work
}

async function finalize(ctx: FinalizeCtx, artifact: ArtifactRow, expected: Expected): Promise<void> {
  const row = await findUpload(ctx.db, artifact.id)
  if (!row && (await findArtifact(ctx.db, artifact.id))?.status === 'finished') return
  if (!row || artifact.storage_key === null) throw deleted('artifact')
  const upload = { ...row, storageKey: artifact.storage_key }
  if (upload.is_direct) return await finalizeDirect(ctx, artifact, upload, expected)
  const sha256 = await verifyBlocks(ctx, upload, expected)
  await finish(ctx, artifact, { ...expected, sha256, storageKey: upload.storageKey })
  forgetDigest(upload.storageKey)
}

/** Composes the blocks into the artifact's object and returns its digest. */
async function verifyBlocks(ctx: FinalizeCtx, upload: Upload, expected: Expected): Promise<Buffer> {
  const { artifact_id: artifactId, storageKey } = upload
  const blocks = await selectBlocks(ctx.db, artifactId)
  const order = upload.block_order ?? orderOfSingle(blocks)
  const parts = partsOf(order, blocks)
  requireSize(
    parts.reduce((sum, part) => sum + part.size, 0),
    expected,
  )
  if (upload.sha256) requireHash(upload.sha256, expected)
  const canReadParts = ctx.storage.hashParts !== undefined
  if (!canReadParts) await ctx.storage.compose(storageKey, parts)
  // If the process crashed after the blocks were hashed, blocks that are not composed yet may be damaged.
  const isComposed = upload.sha256 !== null && (await ctx.storage.size(storageKey)) !== undefined
  const sha256 =
    (isComposed ? upload.sha256 : undefined) ??
    (await digestOf(ctx.storage, { storageKey, parts: order })) ??
    (await digestOfObject(ctx, storageKey))
  requireHash(sha256, { sha256: expected.sha256 ?? upload.sha256 })
  if (
    !upload.sha256 &&
    !(await sealUpload(ctx.db, artifactId, { order: upload.block_order, becomes: order, sha256 }))
  )
    throw conflict('the blocks were changed while the artifact was being finalized; finalize it again')
  if (canReadParts) await ctx.storage.compose(storageKey, parts)
  return sha256
}

function orderOfSingle(blocks: readonly BlockRow[]): number[] {
  const [single, ...more] = blocks
  if (single && more.length === 0) return [single.part]
  throw preconditionFailed(single ? 'no block list was uploaded' : 'nothing was uploaded')
}

function partsOf(order: readonly number[], blocks: readonly BlockRow[]): (Part & { size: number })[] {
  const sizes = new Map(blocks.map(({ part, size }) => [part, size]))
  return order.map(part => ({ part, size: sizes.get(part) ?? 0 }))
}

/**
 * Finalizes an object that the client sent directly to the storage. Its URL allows writing until it expires,
 * so the artifact becomes a copy of the object. The sweep deletes the original after the URL has expired.
 */
async function finalizeDirect(
  ctx: FinalizeCtx,
  artifact: ArtifactRow,
  { storageKey }: Upload,
  expected: Expected,
): Promise<void> {
  const size = await ctx.storage.size(storageKey)
  if (size === undefined) throw preconditionFailed('nothing was uploaded')
  const { artifactMaxBytes } = ctx.config
  if (size > artifactMaxBytes) throw tooLarge(`the artifact exceeds the limit of ${artifactMaxBytes} bytes`)
  requireSize(size, expected)
  const copy = newObjectKey()
  const hold = await holdObject(ctx, copy)
  try {
    await ctx.storage.copy?.(storageKey, copy)
    requireSize((await ctx.storage.size(copy)) ?? Number.NaN, expected)
    const sha256 = await digestOfObject(ctx, copy)
    requireHash(sha256, expected)
    await finish(ctx, artifact, { ...expected, sha256, storageKey: copy })
  } finally {
    hold.release()
  }
}

async function digestOfObject({ storage }: FinalizeCtx, key: string): Promise<Buffer> {
  const hash = createHash('sha256')
  for await (const chunk of await storage.get(key)) hash.update(chunk)
  return hash.digest()
}

function requireSize(size: number, expected: Expected): void {
  if (size !== expected.size)
    throw invalid(`the uploaded blocks have ${size} bytes instead of the declared ${expected.size}`)
}

function requireHash(sha256: Buffer, expected: { sha256: Buffer | null | undefined }): void {
  if (!expected.sha256 || expected.sha256.equals(sha256)) return
  throw invalid(
    `the uploaded blocks have the hash sha256:${sha256.toString('hex')} instead of the declared one`,
  )
}

async function finish(
  ctx: FinalizeCtx,
  { id, run_id, repository_id }: ArtifactRow,
  { size, sha256, storageKey }: { size: number; sha256: Buffer; storageKey: string },
): Promise<void> {
  await withTransaction(ctx.db, async trx => {
    const result = await trx
      .updateTable('artifacts')
      .set({ status: 'finished', size, sha256, storage_key: storageKey, updated_at: sql`now()` })
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .executeTakeFirst()
    if (affectedRows(result) === 0) {
      // Another process finished first, unless the artifact was deleted, which the caller detects.
      return
    }
    await claimObject(trx, storageKey)
    await trx.deleteFrom('artifact_uploads').where('artifact_id', '=', id).execute()
    announceRun(trx, { id: run_id, repository_id })
  })
}
