import type { PGlite } from '@electric-sql/pglite'
import { causeInState, unavailableDatabase } from '../unavailable'

type Engine = Pick<PGlite, 'waitReady' | 'execProtocolStream'>

// Protocol messages after which a session reports that it is ready for the next one: Query and Sync.
const ends = new Set(['Q'.charCodeAt(0), 'S'.charCodeAt(0)])

interface Message {
  name: string
  severity?: string
  code?: string
  message?: string
}

/**
 * Wraps an engine so that every call fails once the engine has ended, because an ended engine does not
 * respond. An engine ends if it cannot write its write-ahead log, for example on a full disk. All
 * acknowledged changes are in its files. `ended` is called once, with the reason.
 */
export function noticingEnd(engine: Engine, ended: (why: Error) => void): Engine {
  let reason: Message | undefined
  const failure = (): Error => {
    const { code = '', message = 'no reason was reported' } = reason ?? {}
    const why = causeInState(code, message) ?? 'failing'
    return unavailableDatabase(why, `the embedded database has stopped: ${message}`)
  }
  const end = (last: Message): Error => {
    if (!reason) {
      reason = last
      ended(failure())
    }
    return failure()
  }
  return {
    waitReady: engine.waitReady,
    async execProtocolStream(message, options) {
      if (reason) throw failure()
      const asked = engine.execProtocolStream(message, options)
      const messages: Message[] = await asked.catch((error: unknown) => {
        throw isTrap(error) ? end({ name: 'trap', message: String(error) }) : error
      })
      const last = messages.find(isLast) ?? (isAnswer(message, messages) ? undefined : { name: 'none' })
      // Another call may have ended the engine in the meantime.
      if (last || reason) throw end(last ?? { name: 'none' })
      return messages as Awaited<ReturnType<Engine['execProtocolStream']>>
    },
  }
}

// Errors thrown by the WebAssembly runtime; the engine reports its own errors in the response.
const isTrap = (error: unknown): boolean =>
  error instanceof WebAssembly.RuntimeError || (error instanceof Error && error.name === 'ExitStatus')

const isLast = ({ name, severity }: Message): boolean =>
  name === 'error' && (severity === 'PANIC' || severity === 'FATAL')

// PGlite hides most WebAssembly traps and then returns no response.
const isAnswer = (message: Uint8Array, answered: Message[]): boolean =>
  !ends.has(message[0] ?? 0) ||
  answered.some(({ name }) => name === 'readyForQuery' || name.startsWith('copy'))
