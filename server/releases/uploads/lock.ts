import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { defineWorker } from '@/server/kernel/jobs'
import { dropLock, endLocks, renewLock, takeLock, wantLock } from './store'

const renewMs = 1_500
const askMs = 250
// Longer than the lease of a killed process.
const timeoutMs = 10_000

/** Two requests used one upload at the same time, and this one had to stop. */
export class UploadBusy extends Error {
  override name = 'UploadBusy'

  constructor() {
    super('another request is using this upload; try again')
  }
}

/** The exclusive right to append to an upload, across all processes. */
export interface UploadLock {
  token: string
  /** Aborted if another request wants to continue the upload, or the lock is lost. */
  signal: AbortSignal
  release(): Promise<void>
}

/**
 * Acquires the lock of an upload. The current holder is asked to stop, because its client may have disappeared.
 * @throws {DomainError} notFound if the upload is gone.
 * @throws {UploadBusy} if the holder does not stop.
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
      log.warn({ reason: error.message }, 'could not renew the lock of an upload'),
    )
  }, renewMs)
  return {
    token,
    signal: lost.signal,
    async release() {
      clearInterval(timer)
      // If this fails, the lease expires by itself.
      await dropLock(db, id, token).catch(() => undefined)
    },
  }
}

/**
 * Releases the locks of killed processes when this process starts alone, instead of waiting for their leases to
 * expire.
 */
export const endUploadLocksWorker = defineWorker({
  name: 'uploads.endLocks',
  async run({ db, clock }, { aloneAt }) {
    if (aloneAt) await endLocks(db, clock.now().getTime() - aloneAt.getTime())
  },
})
