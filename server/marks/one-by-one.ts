import { setTimeout as delay } from 'node:timers/promises'
import { type LockHolder, withAdvisoryLock } from '@/db/advisory-lock'
import type { OpenDatabase } from '@/db/client'
import { ConfigError } from '@/server/kernel/config-error'
import type { Logger } from '@/server/kernel/log'

/**
 * Timeouts in milliseconds for waiting on the same process; they restart when another process gets its turn.
 */
const timeouts = { warnMs: 5_000, giveUpMs: 120_000 }

/**
 * Runs work on the site's marks while no other process does, using an advisory lock. Logs which database
 * session it is waiting for.
 * @throws {ConfigError} if that session does not finish within two minutes; the message contains its ID.
 */
export async function oneByOne<T>(
  database: Pick<OpenDatabase, 'kind' | 'pool'>,
  log: Logger,
  work: () => Promise<T>,
  { warnMs, giveUpMs } = timeouts,
): Promise<T> {
  const results: T[] = []
  const never = new AbortController().signal
  let last: { holder: LockHolder | undefined; begun: number; isReported: boolean } | undefined
  for (;;) {
    const run = await withAdvisoryLock(database, 'site.marks', never, async () => {
      results.push(await work())
    })
    if (run.isDone) return results[0] as T
    const { holder } = run
    const isSame = last && last.holder?.pid === holder?.pid && last.holder?.since === holder?.since
    if (!last || !isSame) last = { holder, begun: performance.now(), isReported: false }
    const waitedMs = performance.now() - last.begun
    if (waitedMs >= giveUpMs) throw occupied(holder)
    if (waitedMs >= warnMs && !last.isReported) {
      last.isReported = true
      log.warn({ holder }, 'waiting for another process of this site that is starting')
    }
    await delay(100)
  }
}

const occupied = (holder: LockHolder | undefined): ConfigError =>
  new ConfigError(
    `DATABASE_URL: another process of this site has been starting for too long${holder ? `; it has session ${holder.pid} of the database` : ''}. Stop it and start again`,
  )
