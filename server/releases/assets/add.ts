import { reauthenticate } from '@/server/auth/reauthenticate'
import type { ActingCtx } from '@/server/kernel/ctx'
import { takeFormFile } from '@/server/kernel/http/multipart'
import { type Upload, uploadBytes } from '@/server/kernel/http/upload'
import { newObjectKey } from '@/server/kernel/storage/key'
import { extendObject, holdObject } from '@/server/kernel/storage/unused'
import { loadReleaseById, type ReleaseFor } from '../load'
import type { Attachment } from '../schema'
import { requireAllowedUpload } from './allowed-types'
import { exceedsLimit, requireAttachments, requireRoom } from './limits'
import { attachmentName } from './name'
import { recordAttachment } from './record'
import { type FileContent, storeFile } from './store-file'
import { viewAttachment } from './view'

interface Wanted {
  name?: string | undefined
  replace?: boolean | undefined
}

/**
 * Adds an uploaded file to a release. The content is the form field `attachment` or, if the request is not a
 * form, the whole body. The file is streamed to storage and becomes visible once it is complete.
 * @throws {DomainError} notFound if attachments are disabled; invalid if the name is missing or invalid, or
 * the type is not allowed; tooLarge if the file exceeds the size limit; unprocessable if the release is full;
 * and as `loadRelease` if the caller loses the permission during the upload.
 */
export async function addAttachment(
  ctx: ActingCtx,
  found: ReleaseFor<'write'>,
  upload: Upload,
  wanted: Wanted,
): Promise<Attachment> {
  requireAttachments(ctx)
  if (!wanted.replace) await requireRoom(ctx, found.release)
  const bodyName = isForm(upload) ? undefined : attachmentName(wanted.name ?? '')
  requireFitting(ctx, upload)
  const key = newObjectKey()
  const hold = await holdObject(ctx, key)
  const store: Store = (bytes, name) =>
    storeFile(ctx, key, bytes, { name, length: upload.length, signal: hold.signal })
  try {
    const { name, ...content } =
      bodyName === undefined
        ? await storeOfForm(upload, wanted, store)
        : { name: bodyName, ...(await store(uploadBytes(upload), bodyName)) }
    requireAllowedUpload(ctx.config, { ...content, name })
    const present = await loadAgain(ctx, found)
    const file = { ...content, name, storageKey: key, replace: wanted.replace }
    return viewAttachment(ctx, await recordAttachment(ctx, present, file))
  } catch (error) {
    // A cleanup job later deletes the stored bytes.
    await extendObject(ctx.db, key, ctx.clock.now()).catch(() => undefined)
    throw error
  } finally {
    hold.release()
  }
}

const isForm = ({ contentType }: Upload): boolean => /^\s*multipart\/form-data/i.test(contentType)

// An upper bound for the size of the rest of a form: its other fields, headers and boundaries.
const aroundFileBytes = 16 * 1024 * 1024

function requireFitting(ctx: ActingCtx, upload: Upload): void {
  const least = (upload.length ?? 0) - (isForm(upload) ? aroundFileBytes : 0)
  if (least > ctx.config.releaseMaxBytes) throw exceedsLimit(ctx)
}

/** Streams bytes to storage. The name is undefined if the client has not sent it yet. */
type Store = (bytes: AsyncIterable<Uint8Array>, name: string | undefined) => Promise<FileContent>

async function storeOfForm(
  upload: Upload,
  wanted: Wanted,
  store: Store,
): Promise<FileContent & { name: string }> {
  const form = await takeFormFile(upload.stream(), upload.contentType, 'attachment', async file => {
    const sent = wanted.name || file.fields.get('name') || file.name
    const content = await store(file.bytes, sent ? attachmentName(sent) : undefined)
    return { content, fileName: file.name }
  })
  const { content, fileName } = form.received
  return { ...content, name: attachmentName(wanted.name || form.fields.get('name') || fileName || '') }
}

/**
 * Loads a release again after an upload, and reauthenticates the caller. An upload can take hours, during
 * which the caller can lose access.
 * @throws {DomainError} as `reauthenticate` and `loadReleaseById`.
 */
export async function loadAgain(
  ctx: ActingCtx,
  { release }: ReleaseFor<'write'>,
): Promise<ReleaseFor<'write'>> {
  const caller = await reauthenticate(ctx, ctx.caller)
  return await loadReleaseById({ ...ctx, caller }, { ...release, release_id: release.id }, 'write')
}
