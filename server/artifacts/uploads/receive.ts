import type { ServiceCtx } from '@/server/kernel/ctx'
import { invalid } from '@/server/kernel/errors'
import type { UploadPermit } from '../signed-path'
import { appendBlock, recordBlock, takePart, uncountBytes } from './block-store'
import { commitBlocks } from './commit'
import { noteBlock } from './digest'
import { explainRefusal } from './refusal'

/** Request body to store. */
export interface Incoming {
  body: AsyncIterable<Uint8Array>
  /** In bytes; undefined if the client does not announce it. */
  length: number | undefined
}

/**
 * Stores a block of an upload, to be committed by a block list. It replaces a block of the same name, unless
 * that one was started later.
 * @throws {DomainError} invalid if the names of blocks differ in length; forbidden if the task has ended;
 * notFound if the upload was deleted; conflict if the artifact is finished; tooLarge; unprocessable if there
 * are too many blocks; and as `ObjectStorage.putPart`.
 */
export async function receiveBlock(
  ctx: ServiceCtx,
  permit: UploadPermit,
  { name, ...incoming }: Incoming & { name: string },
): Promise<void> {
  const block = await storePart(ctx, permit, incoming, name.length)
  if (!(await recordBlock(ctx.db, permit.artifactId, { name, ...block })))
    throw await explainRefusal(ctx, permit)
  await noteBlock(ctx, { name, ...block })
}

/**
 * Stores a block and appends it to the committed ones.
 * @throws {DomainError} as `receiveBlock`.
 */
export async function receiveAppended(
  ctx: ServiceCtx,
  permit: UploadPermit,
  incoming: Incoming,
): Promise<void> {
  const block = await storePart(ctx, permit, incoming)
  const name = `appended ${block.part}`
  if (!(await appendBlock(ctx.db, permit.artifactId, { name, ...block })))
    throw await explainRefusal(ctx, permit)
}

/**
 * Stores a whole upload that is sent in one request.
 * @throws {DomainError} as `receiveBlock`.
 */
export async function receiveWhole(ctx: ServiceCtx, permit: UploadPermit, incoming: Incoming): Promise<void> {
  const block = await storePart(ctx, permit, incoming)
  const name = `whole ${block.part}`
  if (!(await recordBlock(ctx.db, permit.artifactId, { name, ...block })))
    throw await explainRefusal(ctx, permit)
  await commitBlocks(ctx, permit, [{ from: 'uncommitted', name }])
}

async function storePart(
  ctx: ServiceCtx,
  permit: UploadPermit,
  { body, length }: Incoming,
  nameLength?: number,
): Promise<{ part: number; size: number; uncounted: number; storageKey: string; mostBytes: number }> {
  const mostBytes = ctx.config.artifactMaxBytes
  const bytes = length ?? 0
  const now = ctx.clock.now()
  const stored = await takePart(ctx.db, permit, { nameLength, bytes, mostBytes, now })
  if (!stored) throw await explainRefusal(ctx, permit)
  const { part, storageKey, received } = stored
  try {
    if (nameLength !== undefined && stored.nameLength !== nameLength)
      throw invalid('all block IDs in an upload must have the same length')
    const size = await ctx.storage.putPart(storageKey, part, body, {
      isNew: true,
      limitBytes: mostBytes - received + bytes,
      tooLargeMessage: `the artifact exceeds the limit of ${mostBytes} bytes`,
    })
    return { part, size, uncounted: size - bytes, storageKey, mostBytes }
  } catch (error) {
    await uncountBytes(ctx.db, permit.artifactId, bytes).catch(() => undefined)
    throw error
  }
}
