import {
  DetailedError,
  type HttpRequest,
  type HttpResponse,
  type PreviousUpload,
  Upload,
  type UploadOptions,
} from 'tus-js-client'
import { sentence } from '@/app/_lib/failure'
import type { RepoPath } from '@/app/_lib/paths'
import { renderedFor } from '@/app/_lib/viewer'
import { viewerHeader } from '@/server/auth/page-viewer'
import type { UploadLimits } from '@/server/releases/assets/schema'
import type { Carrier, SendEvents, SendFailure } from './carrier'
import { typeRefusal } from './limits'

const endpoint = '/api/uploads'
/** Size in bytes, below the usual body size limits of reverse proxies. */
const defaultChunkSize = 32 * 1024 * 1024
/** Half of the server's maximum of 10,000 parts, because each interruption can add a part. */
const maxChunks = 5_000

/**
 * Returns a carrier that uploads files over the tus protocol. Uploads can resume even after the browser was
 * closed.
 */
export function tusCarrier({ owner, repo }: RepoPath, limits: UploadLimits): Carrier {
  const begun = new Map<File, Upload>()
  return {
    send(file, { release, name, replaces, begun: former }, events) {
      const upload = new Upload(file, {
        ...common(),
        chunkSize: Math.max(defaultChunkSize, Math.ceil(file.size / maxChunks)),
        metadata: { owner, repo, release: String(release), name, ...(replaces ? { replace: 'true' } : {}) },
        fingerprint: async () => fingerprint(file, [owner, repo, release, name, replaces]),
        onProgress: sent => events.onProgress(sent),
        onSuccess: () => {
          begun.delete(file)
          events.onDone()
        },
        onError: error => void reportFailure(file, error, events, limits),
      })
      begun.set(file, upload)
      return { stop: startOrGoOn(upload, former && `${endpoint}/${former}`) }
    },
    async discard({ file, id }) {
      const upload = file && begun.get(file)
      const url = upload?.url ?? (id ? `${endpoint}/${encodeURIComponent(id)}` : undefined)
      if (file) begun.delete(file)
      if (upload) await upload.abort()
      await forget(url)
    },
  }
}

const common = (): UploadOptions => ({
  endpoint,
  // The queue handles retries, so that the page can show them.
  retryDelays: null,
  removeFingerprintOnSuccess: true,
  headers: { [viewerHeader]: renderedFor() },
  onAfterResponse: (request, response) => {
    // Without this, the client would forget the upload after any 4xx status and start over from the first
    // byte.
    const status = response.getStatus()
    if (request.getMethod() !== 'HEAD' || status < 400 || status === 404 || status === 410) return
    throw new ResumeRefused(request, response)
  },
})

class ResumeRefused extends Error {
  constructor(
    readonly request: HttpRequest,
    readonly response: HttpResponse,
  ) {
    super('The server refused to resume the upload.')
  }
}

// Includes the modification time, because a rebuilt file can have the same name and size.
const fingerprint = ({ size, lastModified }: File, target: readonly unknown[]): string =>
  `guildhall-${target.map(part => encodeURIComponent(String(part))).join('-')}-${size}-${lastModified}`

/**
 * Resumes the upload if this browser has started it before. Otherwise, starts it and discards the upload with
 * the URL `other`. Returns a function that stops the upload.
 */
function startOrGoOn(upload: Upload, other: string | undefined): () => void {
  let isOver = false
  void upload
    .findPreviousUploads()
    .catch((): PreviousUpload[] => [])
    .then(former => {
      if (isOver) return
      const last = former.at(-1)
      if (last) upload.resumeFromPreviousUpload(last)
      else void forget(other)
      upload.start()
    })
  return () => {
    isOver = true
    void upload.abort().catch(() => undefined)
  }
}

/**
 * Discards an upload on the server and in the browser's storage. If the server cannot be reached, it deletes
 * the upload later.
 */
async function forget(url: string | undefined | null): Promise<void> {
  if (!url) return
  for (const key of Object.keys(localStorage)) {
    if (!key.startsWith('tus::guildhall-')) continue
    if (localStorage.getItem(key)?.includes(`${endpoint}/${url.split('/').at(-1)}"`))
      localStorage.removeItem(key)
  }
  await Upload.terminate(url, common()).catch(() => undefined)
}

async function reportFailure(
  file: File,
  error: Error,
  { onFailure }: SendEvents,
  limits: UploadLimits,
): Promise<void> {
  const { request, response } = exchangeOf(error)
  if (response) {
    const status = response.getStatus()
    const problem = problemIn(status, response.getBody(), limits)
    onFailure({ state: stateAfter(status, request?.getMethod()), problem })
    return
  }
  // If the file changed after it was selected, reading it fails with the same error as a lost connection.
  const isReadable = await file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )
  if (isReadable) onFailure({ state: 'away', problem: 'Connection lost.' })
  else onFailure({ state: 'refused', problem: 'The file changed after you selected it. Select it again.' })
}

function exchangeOf(error: Error): Partial<ResumeRefused> {
  if (!(error instanceof DetailedError)) return {}
  if (error.causingError instanceof ResumeRefused) return error.causingError
  return { request: error.originalRequest, response: error.originalResponse ?? undefined }
}

// 409: another tab sent the same bytes. A retry first requests the number of bytes that the server has
// received.
const comeBackLater = [408, 409, 423, 425]
const refusals = [400, 403, 413, 415, 422]

function stateAfter(status: number, method: string | undefined): SendFailure['state'] {
  if (status >= 500 || comeBackLater.includes(status)) return 'away'
  // If a POST returns 404, the release is missing. Otherwise, only the upload is missing, and a new one can
  // start.
  if (status === 404 && method === 'POST') return 'refused'
  return refusals.includes(status) ? 'refused' : 'failed'
}

function problemIn(status: number, body: string, limits: UploadLimits): string {
  if (status === 401) return 'Your session has ended. Sign in again in another tab, then try again.'
  try {
    const { message } = JSON.parse(body) as { message?: unknown }
    if (typeof message === 'string' && message.includes('forbidden file')) return typeRefusal(limits)
    if (typeof message === 'string' && message) return sentence(message)
  } catch {
    // Error pages of proxies are not JSON.
  }
  return `The server responded with status ${status}.`
}
