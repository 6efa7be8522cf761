import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { defineWorker } from '@/server/kernel/jobs'
import { dropLock, endLocks, renewLock, takeLock, wantLock } from './store'

const renewMs = 1_500
const askMs = 250
// Longer than a lease, so that the lock of a killed process expires first.
const timeoutMs = 10_000

/** The error for a request that had to stop because another request is using the same upload. */
export class UploadBusy extends Error {
  override name = 'UploadBusy'

  constructor() {
    super('another request is using this upload; try again')
  }
}

/** The exclusive right to append to an upload, across all processes. */
export interface UploadLock {
  token: string
  /** Aborted if another request wants to continue the upload, or if the lock is lost. */
  signal: AbortSignal
  release(): Promise<void>
}

/**
 * Acquires the lock of an upload. Asks a current holder to stop, because its client could have disconnected
 * unnoticed.
 * @throws {DomainError} notFound if the upload was deleted.
 * @throws {UploadBusy} if the holder does not stop in time.
 */
export async function lockUpload(
  { db, log }: Pick<ServiceCtx, 'db' | 'log'>,
  id: string,
): Promise<UploadLock> {
  const token = randomBytes(16).toString('hex')
  const began = performance.now()
  while (!(await takeLock(db, id, token))) {
    if (!(await wantLock(db, id))) throw notFound()
    if (performance.now() - began > timeoutMs) throw new UploadBusy()
    await wait(askMs)
  }
  const lost = new AbortController()
  const renew = async () => {
    if ((await renewLock(db, id, token)) !== false) lost.abort(new UploadBusy())
  }
  const timer = setInterval(() => {
    renew().catch((error: Error) =>
      log.warn({ reason: error.message }, 'could not renew the lock of a release file upload'),
    )
  }, renewMs)
  return {
    token,
    signal: lost.signal,
    async release() {
      clearInterval(timer)
      // If this fails, the lock expires when its lease ends.
      await dropLock(db, id, token).catch(() => undefined)
    },
  }
}

/**
 * Releases the upload locks of killed processes, if this process started while no other was running.
 * Otherwise, uploads would have to wait until the locks expire.
 */
export const endUploadLocksWorker = defineWorker({
  name: 'uploads.endLocks',
  async run({ db, clock }, { aloneAt }) {
    if (aloneAt) await endLocks(db, clock.now().getTime() - aloneAt.getTime())
  },
})
