import type { JobCtx, ServiceCtx } from '@/server/kernel/ctx'
import { contentDisposition } from '@/server/kernel/http/content-disposition'
import { fileNameOf, isZip } from './content-type'
import { type CalledFor, findVisibleArtifact } from './for-job'
import { savedTypeOf } from './preview'
import { signDownload } from './signed-path'
import type { ArtifactRow } from './store'

const maxSeconds = 3600

/**
 * Returns a URL by which a job can download an artifact within an hour: a path on this site, or an absolute
 * URL of the storage if it serves files directly.
 * @throws {DomainError} forbidden for another run or job; notFound.
 */
export async function signForJob(
  ctx: JobCtx,
  of: CalledFor,
  name: string,
): Promise<{ path: string } | { url: string }> {
  const artifact = await findVisibleArtifact(ctx, of, name)
  const url = await directUrl(ctx, artifact)
  if (url) return { url }
  const expires = Math.floor(ctx.clock.now().getTime() / 1000) + maxSeconds
  return { path: signDownload(ctx.config, { artifactId: artifact.id, expires, isZip: isZip(artifact) }) }
}

/**
 * Returns a URL of the storage that serves an artifact for at most an hour; undefined if the site serves
 * files itself.
 */
export async function directUrl(
  { config, storage, clock }: Pick<ServiceCtx, 'config' | 'storage' | 'clock'>,
  artifact: ArtifactRow,
): Promise<string | undefined> {
  const { storage_key, expires_at } = artifact
  if (!config.serveDirect || storage_key === null) return undefined
  const left = Math.ceil((expires_at.getTime() - clock.now().getTime()) / 1000)
  return await storage.signedUrl(storage_key, {
    contentType: await savedTypeOf({ storage }, { ...artifact, storage_key }),
    contentDisposition: contentDisposition('attachment', fileNameOf(artifact)),
    expiresInSeconds: Math.min(maxSeconds, left),
  })
}
