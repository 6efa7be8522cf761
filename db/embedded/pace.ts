import { setImmediate } from 'node:timers/promises'
import type { PGlite } from '@electric-sql/pglite'

type Engine = Pick<PGlite, 'waitReady' | 'execProtocolStream'>

// Protocol messages that start a statement: Parse and Query.
const beginnings = new Set(['P'.charCodeAt(0), 'Q'.charCodeAt(0)])

/**
 * Wraps an engine so that other work of the process runs before each statement. The engine works on the main
 * thread and responds within the same turn of the event loop, so otherwise all pending statements would run
 * in one block.
 */
export function paced(engine: PGlite): Engine {
  return {
    waitReady: engine.waitReady,
    async execProtocolStream(message, options) {
      if (beginnings.has(message[0] ?? 0)) await setImmediate()
      return await engine.execProtocolStream(message, options)
    },
  }
}
