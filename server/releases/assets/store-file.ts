import type { ServiceCtx } from '@/server/kernel/ctx'
import { sniffContentType, sniffedBytes } from '@/server/kernel/http/content-type'
import { readBeginning } from '@/server/kernel/read-beginning'
import type { StoredObject } from '@/server/kernel/storage/types'
import { requireAllowedUpload } from './allowed-types'
import { exceedsLimit } from './limits'

/** A file in storage, with its MIME type. */
export interface FileContent extends StoredObject {
  /** The MIME type, detected from the first bytes. */
  contentType: string
}

/**
 * Streams a file to storage after checking its type from the first bytes.
 * @throws {DomainError} invalid if the type is not allowed; tooLarge if the file exceeds the size limit; and
 * as `ObjectStorage.put`.
 */
export async function storeFile(
  ctx: Pick<ServiceCtx, 'config' | 'storage'>,
  key: string,
  source: AsyncIterable<Uint8Array>,
  { name, length, signal }: { name: string | undefined; length: number | undefined; signal: AbortSignal },
): Promise<FileContent> {
  const { beginning, all } = await readBeginning(source, sniffedBytes)
  const contentType = await sniffContentType(beginning)
  requireAllowedUpload(ctx.config, { name, contentType })
  const stored = await ctx.storage.put(key, all, {
    limitBytes: ctx.config.releaseMaxBytes,
    expectedBytes: Math.min(length ?? Infinity, ctx.config.releaseMaxBytes),
    tooLargeMessage: exceedsLimit(ctx).message,
    signal,
  })
  return { ...stored, contentType }
}
