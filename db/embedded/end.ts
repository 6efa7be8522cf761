import { causeInState, unavailableDatabase } from '../unavailable'
import type { Engine } from './engine'
import { asksForReady, type Fields, failuresIn, isReady } from './response'

/** Thrown by an engine that has ended, for example because of a WebAssembly trap. */
export class EngineEnded extends Error {
  override readonly name = 'EngineEnded'
}

/**
 * Wraps an engine so that every call fails once the engine has ended, because an ended engine does not
 * respond. An engine ends if it cannot write its write-ahead log, for example on a full disk. All
 * acknowledged changes are in its files. `ended` is called once, with the reason.
 */
export function noticingEnd(engine: Engine, ended: (why: Error) => void): Engine {
  let reason: Fields | undefined
  const failure = (): Error => {
    const { code = '', message = 'no reason was reported' } = reason ?? {}
    const why = causeInState(code, message) ?? 'failing'
    return unavailableDatabase(why, `the embedded database has stopped: ${message}`)
  }
  const end = (last: Fields): Error => {
    if (!reason) {
      reason = last
      ended(failure())
    }
    return failure()
  }
  return {
    async execute(messages) {
      if (reason) throw failure()
      // A thread takes the messages away.
      const asks = asksForReady(messages)
      const response = await engine.execute(messages).catch((error: unknown) => {
        throw error instanceof EngineEnded ? end({ message: error.message }) : error
      })
      const last = failuresIn(response).find(isLast) ?? (asks && !isReady(response) ? {} : undefined)
      // Another call may have ended the engine in the meantime.
      if (last || reason) throw end(last ?? {})
      return response
    },
    // An ended engine would write changes from memory to its files that are missing from its log.
    close: () => (reason ? engine.abandon() : engine.close()),
    abandon: () => engine.abandon(),
  }
}

const isLast = ({ severity }: Fields): boolean => severity === 'PANIC' || severity === 'FATAL'
