import {
  type ArtifactMember,
  fileNameOf,
  previewOf,
  readMember,
  type StoredArtifact,
  savedTypeOf,
} from '@/server/artifacts'
import type { ServiceCtx } from '@/server/kernel/ctx'
import type { Answer, Call } from '@/server/kernel/http/call'
import { contentDisposition } from '@/server/kernel/http/content-disposition'
import { hasAlready, wantsAnother } from '@/server/kernel/http/etag'
import { filePolicy } from '@/server/kernel/http/inline-type'
import { privateCaching, securityHeaders } from '@/server/kernel/http/security-headers.mjs'
import { sendStored } from '../stored-file'

const signedSeconds = 5 * 60

type SendCtx = Omit<ServiceCtx, 'caller'>

/**
 * Sends an artifact as a download, with the content type that its client announced and, if known, the
 * charset.
 */
export async function sendArtifact(ctx: SendCtx, call: Call, artifact: StoredArtifact): Promise<Answer> {
  const left = Math.ceil((artifact.expires_at.getTime() - ctx.clock.now().getTime()) / 1000)
  return await sendStored(ctx, call, {
    ...storedFile(artifact, await savedTypeOf(ctx, artifact)),
    disposition: contentDisposition('attachment', fileNameOf(artifact)),
    direct: { status: 302, seconds: Math.min(signedSeconds, left) },
  })
}

/**
 * Sends an artifact for display in a browser, which must not run anything in it. Never redirects to the
 * storage, because the storage would not send the headers that prevent that.
 */
export async function showArtifact(ctx: SendCtx, call: Call, artifact: StoredArtifact): Promise<Answer> {
  const shown = await previewOf(ctx, artifact)
  const contentType = shown ?? artifact.content_type
  return await sendStored(ctx, call, {
    ...storedFile(artifact, contentType),
    disposition: contentDisposition(shown ? 'inline' : 'attachment', fileNameOf(artifact)),
  })
}

/** Sends a file of an archive, which is unpacked while it is sent. */
export async function sendMember(
  call: Call,
  { id }: StoredArtifact,
  found: ArtifactMember,
  as: 'download' | 'view',
): Promise<Answer> {
  const { path, size, crc32, offset } = found.member
  const ETag = `"${id}-${offset}-${crc32}"`
  const common = { ...fileHeaders(''), ETag }
  if (wantsAnother(call.headers, ETag)) return { status: 412, headers: common, body: '' }
  if (hasAlready(call.headers, ETag)) return { status: 304, headers: common }
  const { body, contentType, shown } = await readMember(found)
  const type = (as === 'view' && shown) || contentType
  const name = path.slice(path.lastIndexOf('/') + 1)
  const headers = {
    ...common,
    ...fileHeaders(type),
    'Content-Type': type,
    'Content-Disposition': contentDisposition(as === 'view' && shown ? 'inline' : 'attachment', name),
    'Content-Length': String(size),
  }
  return { status: 200, headers, body }
}

function storedFile(artifact: StoredArtifact, contentType: string) {
  const { id, storage_key: key, size, sha256 } = artifact
  const common = fileHeaders(contentType)
  return {
    key,
    size,
    sha256,
    etag: `"${sha256.toString('hex')}"`,
    contentType,
    common,
    logged: { artifact: id },
  }
}

/**
 * Returns the headers for files that jobs uploaded. The URL can contain a signature, so it must not be sent
 * as a referrer.
 */
const fileHeaders = (contentType: string): Record<string, string> => ({
  ...securityHeaders,
  'Content-Security-Policy': filePolicy(contentType),
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': privateCaching,
  Vary: 'Authorization, Cookie',
})
