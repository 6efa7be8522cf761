import { setTimeout as delay } from 'node:timers/promises'
import { findSchemaState } from '@/db/schema-version'
import type { Services } from '@/server/services'

const lookMs = 2_000

/**
 * Looks whether a newer version has migrated the database, until the function returned is called. It is logged once. From one that
 * this process must not write beside, `services.outdated` is set, and background work ends.
 */
export function watchSchema(
  services: Services,
  background: readonly { stop(): Promise<void> }[],
  everyMs = lookMs,
): () => void {
  const ending = new AbortController()
  const { log, database } = services
  // Nobody else can open an embedded one.
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
          'a newer version has changed the database; this process writes no more: stop it',
        )
        for (const result of await Promise.allSettled(background.map(one => one.stop()))) {
          if (result.status === 'rejected') log.error({ err: result.reason }, 'background work did not end')
        }
      } else if (!isReported) {
        log.warn(
          { migrations: state.newer },
          'a newer version has migrated the database; this process goes on beside it',
        )
        isReported = true
      }
    }
  }
}
