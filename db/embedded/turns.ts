import { isUnavailable } from '../unavailable'
import type { Engine } from './engine'
import { joined } from './execute'
import { isIdle, mayBeginSomething } from './response'

/** The clients of an engine, which share its only session. */
export interface Turns {
  /**
   * Executes what a client sends together, and returns the response. Statements of several clients are sent to the
   * engine one after the other without waiting for each response, but a transaction has the engine to itself.
   * A client that waits for its turn for too long gets the response that the database is unavailable.
   */
  execute(client: object, messages: Uint8Array): Promise<Uint8Array>
  /** Rolls back what a client has begun, and refuses what it still waits for. */
  leave(client: object): void
}

interface Waiting {
  client: object
  messages: Uint8Array
  isExclusive: boolean
  resolve(response: Uint8Array): void
  reject(error: Error): void
  deadline?: NodeJS.Timeout
}

// The message Query.
const rollback = (): Uint8Array => joined([Buffer.of(0x51, 0, 0, 0, 13), Buffer.from('rollback\0')])

// ErrorResponse as a server without a free connection sends it, which counts as unavailable, and ReadyForQuery.
function tooLate(): Uint8Array {
  const message = 'timeout exceeded while waiting for another client of the embedded database'
  const fields = Buffer.from(`SERROR\0VERROR\0C53300\0M${message}\0\0`)
  const head = Buffer.of(0x45, 0, 0, 0, 0)
  head.writeUInt32BE(4 + fields.length, 1)
  return joined([head, fields, Buffer.of(0x5a, 0, 0, 0, 5, 0x49)])
}

const retryMs = 1_000

/**
 * Lets several clients use an engine. `waitMs` limits how long a client waits for its turn, so that code which uses
 * another client inside its transaction fails instead of waiting forever.
 */
export function takingTurns(engine: Engine, waitMs = 10_000): Turns {
  /** Has begun a transaction, or sends something that may begin one; nothing of others is executed meanwhile. */
  let holder: object | undefined
  let running = 0
  let waiting: Waiting[] = []
  const left = new WeakSet<object>()

  function start(one: Waiting): void {
    const { client, messages, isExclusive } = one
    clearTimeout(one.deadline)
    running += 1
    if (isExclusive) holder = client
    engine.execute(messages).then(
      response => {
        running -= 1
        if (holder === client && !left.has(client) && isIdle(response)) holder = undefined
        startWaiting()
        one.resolve(response)
      },
      (error: Error) => {
        running -= 1
        // A transaction may still be open. The failure ends the client, which is then rolled back.
        startWaiting()
        one.reject(error)
      },
    )
  }

  function startWaiting(): void {
    for (let next = waiting[0]; next && holder === undefined; next = waiting[0]) {
      if (next.isExclusive && running > 0) return
      waiting.shift()
      start(next)
    }
  }

  return {
    execute: (client, messages) =>
      new Promise((resolve, reject) => {
        const one: Waiting = { client, messages, isExclusive: mayBeginSomething(messages), resolve, reject }
        if (holder === client) return start(one)
        waiting.push(one)
        startWaiting()
        if (!waiting.includes(one)) return
        one.deadline = setTimeout(() => {
          waiting = waiting.filter(other => other !== one)
          resolve(tooLate())
          startWaiting()
        }, waitMs)
      }),
    leave(client) {
      for (const one of waiting.filter(other => other.client === client)) {
        clearTimeout(one.deadline)
        one.reject(new Error('the client has left'))
      }
      waiting = waiting.filter(other => other.client !== client)
      if (holder !== client) return
      left.add(client)
      const free = (): void => {
        holder = undefined
        startWaiting()
      }
      // Nothing of others may be executed in a transaction that is still open.
      const retry = (): void => void setTimeout(rollBack, retryMs).unref()
      const rollBack = (): void => {
        engine.execute(rollback()).then(
          response => (isIdle(response) ? free() : retry()),
          // Every call of an engine that has ended fails.
          (error: unknown) => (isUnavailable(error) ? free() : retry()),
        )
      }
      rollBack()
    },
  }
}
