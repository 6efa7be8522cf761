import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { defineWorker } from '@/server/kernel/jobs'
import { dropLock, endLocks, renewLock, takeLock, wantLock } from './store'

const renewMs = 1_500
const askMs = 250
// Longer than the lock of a process lasts that was killed beside others.
const patienceMs = 10_000

/** Two requests were at one upload, and this is the one that gave way. */
export class UploadBusy extends Error {
  override name = 'UploadBusy'

  constructor() {
    super('another request is at this upload; try again')
  }
}

/** The right to be the only one that adds to an upload, in all processes. */
export interface UploadLock {
  token: string
  /** Aborted when another request wants to go on with the upload, or the lock is lost. */
  signal: AbortSignal
  release(): Promise<void>
}

/**
 * Takes the lock of an upload. Whoever holds it is asked to stop: it may be a request whose client is gone without a word.
 * @throws {DomainError} notFound when the upload is gone.
 * @throws {UploadBusy} when the holder does not stop.
 */
export async function lockUpload(
  { db, log }: Pick<ServiceCtx, 'db' | 'log'>,
  id: string,
): Promise<UploadLock> {
  const token = randomBytes(16).toString('hex')
  const began = performance.now()
  while (!(await takeLock(db, id, token))) {
    if (!(await wantLock(db, id))) throw notFound()
    if (performance.now() - began > patienceMs) throw new UploadBusy()
    await wait(askMs)
  }
  const lost = new AbortController()
  const renew = async () => {
    if ((await renewLock(db, id, token)) !== false) lost.abort(new UploadBusy())
  }
  const timer = setInterval(() => {
    renew().catch((error: Error) =>
      log.warn({ reason: error.message }, 'the lock of an upload was not renewed'),
    )
  }, renewMs)
  return {
    token,
    signal: lost.signal,
    async release() {
      clearInterval(timer)
      // A lock that cannot be given back now ends by itself.
      await dropLock(db, id, token).catch(() => undefined)
    },
  }
}

/** Ends the locks of a process that was killed at once, where this one begins alone. */
export const endUploadLocksWorker = defineWorker({
  name: 'uploads.endLocks',
  async run({ db, clock }, { aloneAt }) {
    if (aloneAt) await endLocks(db, clock.now().getTime() - aloneAt.getTime())
  },
})
