import { buffer } from 'node:stream/consumers'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { sniffContentType, sniffedBytes } from '@/server/kernel/http/content-type'
import { isText, isUtf8Beginning, previewType } from '@/server/kernel/http/inline-type'
import type { StoredArtifact } from './load'

const unknownType = 'application/octet-stream'

type InStorage = Pick<StoredArtifact, 'size' | 'storage_key'>

/**
 * Returns the content type to show an artifact under in a browser; undefined if browsers cannot show it. Its beginning
 * decides if the client did not know the type, and about the charset.
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
 * Returns the content type to save an artifact under: the one that its client announced. Of a text whose beginning is UTF-8
 * it says so; of any other text nobody knows the charset.
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
