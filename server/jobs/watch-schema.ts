import { setTimeout as delay } from 'node:timers/promises'
import { findSchemaState } from '@/db/schema-version'
import type { Services } from '@/server/services'

const lookMs = 2_000

/**
 * Checks every `everyMs` milliseconds whether a newer version has migrated the database, until the returned
 * function is called. A compatible migration is logged once. After an incompatible one, `services.outdated` is
 * set and the background work is stopped.
 */
export function watchSchema(
  services: Services,
  background: readonly { stop(): Promise<void> }[],
  everyMs = lookMs,
): () => void {
  const ending = new AbortController()
  const { log, database } = services
  // No other process can open an embedded database.
  if (database.kind === 'server') void watch()
  return () => ending.abort()

  async function watch(): Promise<void> {
    let isReported = false
    while (!ending.signal.aborted && !services.outdated) {
      await delay(everyMs, undefined, { ref: false, signal: ending.signal }).catch(() => undefined)
      const state = await findSchemaState(database.db).catch(() => undefined)
      if (!state || ending.signal.aborted || state.newer.length === 0) continue
      if (state.isOutdated) {
        services.outdated = true
        log.error(
          { migrations: state.newer },
          'a newer version has changed the database, and this process no longer writes to it; stop this process',
        )
        for (const result of await Promise.allSettled(background.map(one => one.stop()))) {
          if (result.status === 'rejected') log.error({ err: result.reason }, 'background work did not stop')
        }
      } else if (!isReported) {
        log.warn(
          { migrations: state.newer },
          'a newer version has migrated the database; this process continues to run alongside it',
        )
        isReported = true
      }
    }
  }
}
