import { Readable } from 'node:stream'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { notFound, unprocessable } from '@/server/kernel/errors'
import { servedContentType, sniffContentType, sniffedBytes } from '@/server/kernel/http/content-type'
import { isUtf8Beginning, previewType } from '@/server/kernel/http/inline-type'
import { readBeginning } from '@/server/kernel/read-beginning'
import { isZip } from './content-type'
import type { StoredArtifact } from './load'
import { cachedDirectory } from './zip/cached'
import type { ZipDirectory, ZipMember } from './zip/directory'
import { explainDamage, openMember } from './zip/open-member'
import { storedZip, type ZipSource } from './zip/source'

type StorageCtx = Pick<ServiceCtx, 'storage'>

/** File in an artifact that has not been opened yet. */
export interface ArtifactMember {
  source: ZipSource
  member: ZipMember
}

/**
 * Returns the directory of a zip artifact, from the cache if possible.
 * @throws {DomainError} unprocessable if it is not a zip archive, damaged, or too large to browse;
 * tooManyRequests if too many archives are being read.
 */
export async function directoryOf(
  { storage }: StorageCtx,
  artifact: StoredArtifact,
): Promise<ZipDirectory & { source: ZipSource }> {
  if (!isZip(artifact)) throw unprocessable('This artifact is not a zip archive.')
  const { storage_key: key, size } = artifact
  const source = storedZip(storage, { key, size })
  return { ...(await cachedDirectory(key, source)), source }
}

/**
 * Finds a file in an artifact by its path.
 * @throws {DomainError} notFound, and as `directoryOf`.
 */
export async function findMember(
  ctx: StorageCtx,
  artifact: StoredArtifact,
  path: string,
): Promise<ArtifactMember> {
  const { members, source } = await directoryOf(ctx, artifact)
  const member = members.get(path)
  if (!member) throw notFound('The artifact does not contain this file.')
  return { source, member }
}

/**
 * Opens a file in an artifact and detects its content type from its first bytes. The stream fails if the file
 * does not match the size or checksum in the archive.
 * @throws {DomainError} as `openMember`.
 */
export async function readMember({ source, member }: ArtifactMember): Promise<{
  body: Readable
  contentType: string
  /** Content type for display in a browser; undefined if browsers cannot show the file. */
  shown: string | undefined
}> {
  const opened = await openMember(source, member)
  const { beginning, all } = await readBeginning(opened, sniffedBytes).catch(error => {
    throw explainDamage(error)
  })
  const content_type = await sniffContentType(beginning)
  const isUtf8 = isUtf8Beginning(beginning)
  const contentType = servedContentType({ name: member.path, content_type }, { isUtf8 })
  const shown = previewType(contentType, { isUtf8 })
  return { body: Readable.from(all, { objectMode: false }), contentType, shown }
}
