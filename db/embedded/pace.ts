import { setImmediate } from 'node:timers/promises'
import type { PGlite } from '@electric-sql/pglite'

type Engine = Pick<PGlite, 'waitReady' | 'execProtocolStream'>

// Of the messages of the protocol, those that a statement begins with: Parse and Query.
const beginnings = new Set(['P'.charCodeAt(0), 'Q'.charCodeAt(0)])

/**
 * An engine that lets other work of the process have its turn before each statement: it works on the main thread, and answers
 * within the same turn of the event loop, so that the statements of all who ask would be one stretch.
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
