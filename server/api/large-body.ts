import { signedInUser } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { invalid, tooBusy, tooLarge } from '@/server/kernel/errors'
import type { Call } from '@/server/kernel/http/call'
import { bodyAt, type Pace } from '@/server/kernel/http/pace'
import { readSpilledBody, type SpilledBody } from '@/server/kernel/http/spilled-body'
import { createSharedFairLimit } from '@/server/kernel/processes/shared-fair-limit'
import { trashFolder } from '@/server/repos/storage'

const mib = 1024 * 1024

/**
 * Maximum size of a request body in bytes. It is far above any JSON, and file uploads are streamed without
 * this limit.
 */
export const maxBodyBytes = mib
/** Maximum size of a body with files in Base64. */
const maxLargeBodyBytes = 32 * mib

// All bodies together need no more of the disk than one push can. The wait ends before the server gives up a body.
const [allMib, shareMib] = [1024, 256]
const share = createSharedFairLimit(
  'large bodies',
  {
    concurrency: allMib,
    maxQueue: 100,
    timeoutMs: 10_000,
    address: shareMib,
    anonymousAddress: shareMib,
    anonymous: shareMib,
  },
  tooBusy,
)

/**
 * Runs work that reads a large body and needs its files. Who may change files is known only after the body is read, so
 * each account and each address can have only a part of the disk space for them; other requests wait unread.
 * @throws {DomainError} tooManyRequests, to be retried after a second, if the wait is too long.
 */
export async function withLargeBody<T>(
  { caller, remoteAddress: address, disconnected }: ServiceCtx,
  { headers }: Call,
  work: () => Promise<T>,
): Promise<T> {
  const announced = headers.get('content-length')
  const bytes = announced === null ? maxLargeBodyBytes : Math.min(Number(announced), maxLargeBodyBytes)
  // Anybody can send as much to other endpoints.
  if (bytes <= maxBodyBytes) return await work()
  const account = caller.kind === 'job' ? caller.actor?.id : signedInUser(caller)?.id
  const client = { address, isAnonymous: false, account, slots: Math.ceil(bytes / mib), disconnected }
  return await share(client, work)
}

// Who sends more slowly would keep others waiting.
const slowest: Pace = { graceMs: 30_000, bytesPerSecond: 16 * 1024 }
const tooSlow = (): Error => invalid('the body arrived too slowly')

/** Whether a body is JSON, as which alone it can have files in Base64. */
export const isJson = (headers: Call['headers']): boolean =>
  (headers.get('content-type') ?? '').toLowerCase().includes('json')

/**
 * Reads a body of another type at an endpoint that takes large ones, which have no deadline as a whole.
 * @throws {DomainError} tooLarge above 1 MiB; invalid if it arrives too slowly
 */
export async function readPacedBody(call: Call, pace = slowest): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of bodyAt(pace, call.stream(), tooSlow)) {
    bytes += chunk.length
    if (bytes > maxBodyBytes) throw tooLarge(`the body exceeds the limit of ${maxBodyBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * Reads a JSON body with files in Base64, which are written to files without names.
 * @throws {DomainError} tooLarge; invalid if it arrives too slowly; and the errors of `readSpilledBody`
 */
export async function readLargeBody(
  { config }: Pick<ServiceCtx, 'config'>,
  call: Call,
  pace = slowest,
): Promise<SpilledBody> {
  if (Number(call.headers.get('content-length') ?? 0) > maxLargeBodyBytes) {
    throw tooLarge(`the body exceeds the limit of ${maxLargeBodyBytes} bytes`)
  }
  const limits = { body: maxLargeBodyBytes, json: maxBodyBytes }
  return await readSpilledBody(bodyAt(pace, call.stream(), tooSlow), trashFolder(config), limits)
}
