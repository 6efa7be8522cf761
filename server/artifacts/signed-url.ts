import type { JobCtx } from '@/server/kernel/ctx'
import { contentDisposition } from '@/server/kernel/http/content-disposition'
import { isZip } from './content-type'
import { fileNameOf } from './file-name'
import { type CalledFor, findVisibleArtifact } from './for-job'
import { signDownload } from './signed-path'
import type { ArtifactRow } from './store'

const maxSeconds = 3600

/**
 * Makes a URL by which a job downloads an artifact within an hour: a path of this site, or a whole URL of the storage if
 * that serves files itself.
 * @throws {DomainError} forbidden for another run or job; notFound.
 */
export async function signForJob(
  ctx: JobCtx,
  of: CalledFor,
  name: string,
): Promise<{ path: string } | { url: string }> {
  const artifact = await findVisibleArtifact(ctx, of, name)
  const now = ctx.clock.now().getTime()
  const url = ctx.config.serveDirect ? await directUrl(ctx, artifact, now) : undefined
  if (url) return { url }
  const expires = Math.floor(now / 1000) + maxSeconds
  return { path: signDownload(ctx.config, { artifactId: artifact.id, expires, isZip: isZip(artifact) }) }
}

async function directUrl(
  { storage }: JobCtx,
  artifact: ArtifactRow,
  now: number,
): Promise<string | undefined> {
  const { storage_key, content_type, expires_at } = artifact
  const left = Math.ceil((expires_at.getTime() - now) / 1000)
  return storage_key === null
    ? undefined
    : await storage.signedUrl(storage_key, {
        contentType: content_type,
        contentDisposition: contentDisposition('attachment', fileNameOf(artifact)),
        expiresInSeconds: Math.min(maxSeconds, left),
      })
}
