import type { ServiceCtx } from '@/server/kernel/ctx'
import { tooBusy } from '@/server/kernel/errors'
import { createFairLimit } from '@/server/kernel/fair-limit'
import type { Call } from '@/server/kernel/http/call'

const kib = 1024
const smallBytes = 64 * kib
const [allKib, shareKib] = [256 * kib, 64 * kib]

const share = createFairLimit(
  {
    concurrency: allKib,
    maxQueue: 1_000,
    timeoutMs: 10_000,
    address: shareKib,
    anonymousAddress: shareKib,
    anonymous: shareKib,
  },
  tooBusy,
)

/**
 * Runs work that reads and handles a request body of up to `maxBytes`. Large bodies of all runners share a
 * limited amount of memory, of which each runner gets a part; other requests wait unread.
 * @throws {DomainError} tooManyRequests, to be retried after a second, if the wait is too long.
 */
export async function withBody<T>(
  { caller, disconnected }: ServiceCtx,
  { headers }: Call,
  maxBytes: number,
  work: () => Promise<T>,
): Promise<T> {
  const announced = headers.get('content-length')
  const bytes = announced === null ? maxBytes : Math.min(Number(announced), maxBytes)
  if (bytes <= smallBytes) return await work()
  const account = caller.kind === 'runner' ? caller.runnerId : undefined
  return await share(
    { address: '', isAnonymous: false, account, slots: Math.ceil(bytes / kib), disconnected },
    work,
  )
}
