import { buffer } from 'node:stream/consumers'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { sniffContentType, sniffedBytes } from '@/server/kernel/http/content-type'
import { isUtf8Beginning, previewType } from '@/server/kernel/http/preview'
import type { StoredArtifact } from './load'

const unknownType = 'application/octet-stream'

/**
 * Returns the content type to show an artifact under in a browser; undefined if browsers cannot show it. Its beginning
 * decides if the client did not know the type, and about the charset.
 */
export async function previewOf(
  { storage }: Pick<ServiceCtx, 'storage'>,
  { content_type, size, storage_key }: StoredArtifact,
): Promise<string | undefined> {
  const isUnknown = content_type === unknownType
  if (!isUnknown && !previewType(content_type)) return undefined
  const end = Math.min(size, sniffedBytes) - 1
  const beginning =
    size === 0 ? Buffer.alloc(0) : await buffer(await storage.get(storage_key, { start: 0, end }))
  const type = isUnknown ? await sniffContentType(beginning) : content_type
  return previewType(type, { isUtf8: isUtf8Beginning(beginning) })
}
