import { buffer } from 'node:stream/consumers'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { sniffContentType, sniffedBytes } from '@/server/kernel/http/content-type'
import { isText, isUtf8Beginning, previewType } from '@/server/kernel/http/inline-type'
import type { StoredArtifact } from './load'

const unknownType = 'application/octet-stream'

type InStorage = Pick<StoredArtifact, 'size' | 'storage_key'>

/**
 * Returns the content type for displaying an artifact in a browser; undefined if browsers cannot show it. If
 * the client did not know the type, it is detected from the first bytes, as is the charset.
 */
export async function previewOf(
  { storage }: Pick<ServiceCtx, 'storage'>,
  artifact: StoredArtifact,
): Promise<string | undefined> {
  const { content_type } = artifact
  const isUnknown = content_type === unknownType
  if (!isUnknown && !previewType(content_type)) return undefined
  const beginning = await beginningOf(storage, artifact)
  const type = isUnknown ? await sniffContentType(beginning) : content_type
  return previewType(type, { isUtf8: isUtf8Beginning(beginning) })
}

/**
 * Returns the content type for saving an artifact: the one that its client announced. For text that starts as
 * valid UTF-8 it includes the charset; the charset of other text is unknown.
 */
export async function savedTypeOf(
  { storage }: Pick<ServiceCtx, 'storage'>,
  artifact: InStorage & { content_type: string },
): Promise<string> {
  const { content_type } = artifact
  if (!isText(content_type)) return content_type
  const isUtf8 = isUtf8Beginning(await beginningOf(storage, artifact))
  return isUtf8 ? `${content_type}; charset=utf-8` : content_type
}

async function beginningOf(
  storage: ServiceCtx['storage'],
  { size, storage_key }: InStorage,
): Promise<Buffer> {
  if (size === 0) return Buffer.alloc(0)
  return await buffer(await storage.get(storage_key, { start: 0, end: Math.min(size, sniffedBytes) - 1 }))
}
