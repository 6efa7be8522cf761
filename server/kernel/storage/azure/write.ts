import type { BlockBlobClient } from '@azure/storage-blob'
import { isDomainError, notFound, tooLarge } from '../../errors'
import { hashWhile, meter } from '../meter'
import { pieceBytesFor, sendInPieces } from '../pieces'
import { failureOf, undefinedIfMissing } from '../remote'
import type { ObjectStorage, Part, PutPartOptions } from '../types'
import { type Block, blockName, blockOf, namesOfParts, nextAttempt } from './blocks'
import type { Container } from './container'

const mib = 1024 * 1024
// The Azure limit per blob.
const mostBlocks = 50_000

/**
 * Returns the write operations of an object storage on Azure. Unfinished objects are stored as uncommitted
 * blocks of a blob.
 */
export function createWriter({
  blob,
  asking,
}: Pick<Container, 'blob' | 'asking'>): Pick<ObjectStorage, 'put' | 'putPart' | 'compose' | 'delete'> {
  /**
   * Uploads blocks whose names contain the part and attempt, and returns their number and total size. `before` is the
   * number of blocks that the blob already has.
   */
  async function sendBlocks(
    to: BlockBlobClient,
    position: Pick<Block, 'part' | 'attempt'>,
    source: AsyncIterable<Uint8Array>,
    { before, options = {} }: { before: number; options: PutPartOptions | undefined },
  ): Promise<{ count: number; size: number }> {
    const measured = meter(source, options, mib)
    // Half of the blocks are reserved, because each part ends with a short block.
    const pieceBytes = pieceBytesFor(options.expectedBytes ?? 0, mostBlocks / 2)
    const mostPieces = mostBlocks - before
    const count = await sendInPieces(measured, { pieceBytes, mostPieces }, (piece, number, abortSignal) => {
      const name = blockName({ ...position, number, isLast: false })
      return asking(to.stageBlock(name, piece, piece.length, { abortSignal }))
    })
    return { count, size: measured.size() }
  }

  async function uncommitted(to: BlockBlobClient): Promise<Block[]> {
    const list = await asking(to.getBlockList('uncommitted').catch(undefinedIfMissing))
    return (list?.uncommittedBlocks ?? [])
      .map(({ name }) => blockOf(name))
      .filter(block => block !== undefined)
  }

  const commit = (to: BlockBlobClient, names: string[]) =>
    asking(to.commitBlockList(names, { blobHTTPHeaders: { blobContentType: 'application/octet-stream' } }))

  /**
   * Deletes a blob with its uncommitted blocks. Only a commit discards those, so an empty blob exists for a moment, under a
   * key that no one knows.
   */
  async function remove(to: BlockBlobClient): Promise<void> {
    if ((await uncommitted(to)).length > 0) await commit(to, [])
    await asking(to.deleteIfExists())
  }

  return {
    async put(key, source, options) {
      const to = blob(key)
      const position = { part: 0, attempt: 0 }
      try {
        return await hashWhile(source, async hashed => {
          const { count, size } = await sendBlocks(to, position, hashed, { before: 0, options })
          await commit(to, namesOfBlocks(position, count))
          return size
        })
      } catch (error) {
        // Report the original error; the sweep deletes the blob later.
        await remove(to).catch(() => undefined)
        throw error
      }
    },

    async putPart(key, part, source, options) {
      const to = blob(key)
      if (options?.isNew) {
        // All new parts are split in the same way, so their sizes determine the names of their blocks.
        const alike = { ...options, expectedBytes: undefined }
        return (await sendBlocks(to, { part, attempt: 0 }, source, { before: 0, options: alike })).size
      }
      const blocks = await uncommitted(to)
      const position = { part, attempt: nextAttempt(blocks, part) }
      const { count, size } = await sendBlocks(to, position, source, { before: blocks.length, options })
      await asking(to.stageBlock(blockName({ ...position, number: count, isLast: true }), Buffer.alloc(1), 1))
      return size
    },

    async compose(key, parts) {
      const to = blob(key)
      const missing = () => notFound('a part of the object is missing')
      const names =
        namesBySize(parts) ??
        namesOfParts(
          await uncommitted(to),
          parts.map(({ part }) => part),
        )
      if (!names) {
        if (!(await asking(to.exists()))) throw missing()
        return
      }
      if (names.length > mostBlocks) throw tooLarge('the file has too many parts for the storage')
      await commit(to, names).catch(error => {
        throw isDomainError(error) && failureOf(error.cause).status === 400 ? missing() : error
      })
    },

    delete: async key => await remove(blob(key)),
  }
}

const namesOfBlocks = (position: Pick<Block, 'part' | 'attempt'>, count: number): string[] =>
  Array.from({ length: count }, (_, number) => blockName({ ...position, number, isLast: false }))

/** Returns the block names of parts that were uploaded with `isNew`; undefined for other parts. */
function namesBySize(parts: readonly Part[]): string[] | undefined {
  const pieceBytes = pieceBytesFor(0, mostBlocks)
  const names: string[] = []
  for (const { part, size } of parts) {
    if (size === undefined) return undefined
    names.push(...namesOfBlocks({ part, attempt: 0 }, Math.ceil(size / pieceBytes)))
  }
  return names
}
