import { DataStore, type Lock, Upload } from '@tus/server'
import { z } from 'zod'
import type { UserCtx } from '@/server/kernel/ctx'
import { invalid, isDomainError, notFound } from '@/server/kernel/errors'
import type { Call } from '@/server/kernel/http/call'
import { uploadBytes, uploadOf } from '@/server/kernel/http/upload'
import { id as idSchema, line, yes } from '@/server/kernel/wire'
import { loadRelease } from '@/server/releases/load'
import { beginUpload } from '@/server/releases/uploads/begin'
import { discardUpload } from '@/server/releases/uploads/discard'
import { keptMs } from '@/server/releases/uploads/expiry'
import { finishUpload } from '@/server/releases/uploads/finish'
import { type LoadedUpload, loadUpload } from '@/server/releases/uploads/load'
import { lockUpload, type UploadLock } from '@/server/releases/uploads/lock'
import { receiveUpload } from '@/server/releases/uploads/receive'

export { Server } from '@tus/server'

export const extensions = ['creation', 'creation-with-upload', 'termination', 'expiration']

/**
 * One tus request, implemented as the library's data store and lock. The library validates headers and writes the
 * response; the body is read directly from the call, not through the library's web streams.
 */
export class TusExchange extends DataStore {
  override extensions = extensions
  /** Id of the file that the upload became, in this or an earlier request. */
  attachmentId: number | undefined
  private lock: UploadLock | undefined

  constructor(
    private readonly ctx: UserCtx,
    private readonly call: Call,
  ) {
    super()
  }

  /** Returns the lock of an upload. A POST needs none, because no one knows the new upload's URL yet. */
  newLock(id: string): Lock {
    return {
      lock: async () => {
        if (this.call.method !== 'POST') this.lock = await lockUpload(this.ctx, id)
      },
      unlock: async () => {
        await this.lock?.release()
        this.lock = undefined
      },
    }
  }

  override async create(upload: Upload): Promise<Upload> {
    const { ctx } = this
    const metadata = readMetadata(upload.metadata)
    const found = await loadRelease(ctx, { ...metadata, id: metadata.release }, 'write').catch(notMoved)
    const { name, replace: replaces } = metadata
    const begun = await beginUpload(ctx, found, { id: upload.id, name, size: upload.size ?? 0, replaces })
    this.lock = await lockUpload(ctx, begun.id)
    if (begun.size === 0) await this.finish({ upload: begun, found })
    upload.creation_date = begun.updated_at.toISOString()
    return upload
  }

  override async getUpload(id: string): Promise<Upload> {
    const loaded = await loadUpload(this.ctx, id)
    const { size, received, updated_at, name, replaces } = loaded.upload
    // The request with the last byte may have been killed before it finished the upload.
    if (received === size) await this.finish(loaded)
    const { owner, repository, release } = loaded.found
    const metadata = {
      owner: owner.name,
      repo: repository.name,
      release: String(release.id),
      name,
      ...(replaces ? { replace: 'true' } : {}),
    }
    return new Upload({ id, size, offset: received, metadata, creation_date: updated_at.toISOString() })
  }

  override async write(unused: NodeJS.ReadableStream, id: string): Promise<number> {
    unused.resume()
    const { ctx, lock } = this
    const loaded = await loadUpload(ctx, id)
    if (!lock) throw new Error('an upload was written to without its lock')
    const body = uploadBytes(uploadOf(this.call))
    const upload = await receiveUpload(ctx, loaded.upload, lock, body)
    if (upload.received === upload.size) await this.finish({ ...loaded, upload })
    return upload.received
  }

  override async remove(id: string): Promise<void> {
    await discardUpload(this.ctx, id)
  }

  override getExpiration(): number {
    return keptMs
  }

  private async finish(loaded: LoadedUpload): Promise<void> {
    this.attachmentId ??= await finishUpload(this.ctx, loaded)
  }
}

const Metadata = z.object({
  owner: line(100),
  repo: line(100),
  release: idSchema,
  name: z.string().max(4096),
  replace: z
    .string()
    .nullish()
    .transform(word => yes.has(word ?? '')),
})

function readMetadata(pairs: Upload['metadata']): z.output<typeof Metadata> {
  const { data, error } = Metadata.safeParse(pairs ?? {})
  if (data) return data
  const [field = 'metadata'] = error.issues[0]?.path ?? []
  throw invalid(
    `Upload-Metadata requires owner, repo, release, and name; ${String(field)} is missing or invalid`,
  )
}

// A tus client cannot follow the move, so the release is not found under its former name.
function notMoved(error: unknown): never {
  throw isDomainError(error) && error.movedTo ? notFound() : error
}
