import type { PGlite } from '@electric-sql/pglite'
import { causeInState, unavailableDatabase } from '../unavailable'

type Engine = Pick<PGlite, 'waitReady' | 'execProtocolStream'>

// Of the messages of the protocol, those after which a session says that it is ready for more: Query and Sync.
const ends = new Set(['Q'.charCodeAt(0), 'S'.charCodeAt(0)])

interface Message {
  name: string
  severity?: string
  code?: string
  message?: string
}

/**
 * An engine that fails what it is asked once it has ended, where the one inside answers nothing anymore: it ends where it
 * cannot write its log of changes, as on a full disk. What it acknowledged is in its files. `ended` is called with why, once.
 */
export function noticingEnd(engine: Engine, ended: (why: Error) => void): Engine {
  let reason: Message | undefined
  const failure = (): Error => {
    const { code = '', message = 'it does not say why' } = reason ?? {}
    const why = causeInState(code, message) ?? 'failing'
    return unavailableDatabase(why, `the embedded database has ended: ${message}`)
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
      // Another one may have been its last meanwhile.
      if (last || reason) throw end(last ?? { name: 'none' })
      return messages as Awaited<ReturnType<Engine['execProtocolStream']>>
    },
  }
}

// What the machine that it runs on throws; the engine itself answers all that it refuses.
const isTrap = (error: unknown): boolean =>
  error instanceof WebAssembly.RuntimeError || (error instanceof Error && error.name === 'ExitStatus')

const isLast = ({ name, severity }: Message): boolean =>
  name === 'error' && (severity === 'PANIC' || severity === 'FATAL')

// Most traps of the machine are kept from us, and leave no word.
const isAnswer = (message: Uint8Array, answered: Message[]): boolean =>
  !ends.has(message[0] ?? 0) ||
  answered.some(({ name }) => name === 'readyForQuery' || name.startsWith('copy'))
