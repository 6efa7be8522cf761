import { unavailableDatabase } from '../unavailable'
import type { Engine } from './engine'
import { isIdle, mayBeginSomething } from './response'

/** The clients of an engine, which share its only session. */
export interface Turns {
  /**
   * Executes what a client sends together, and returns the response. Statements of several clients are sent to the
   * engine one after the other without waiting for each response, but a transaction has the engine to itself.
   * @throws {Error} as unavailable if it waits for another client's transaction for too long.
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

// The message Query with the text "rollback".
const rollback = (): Uint8Array => Buffer.concat([Buffer.of(0x51, 0, 0, 0, 13), Buffer.from('rollback\0')])

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
        end(client, isIdle(response))
        one.resolve(response)
      },
      (error: Error) => {
        end(client, true)
        one.reject(error)
      },
    )
  }

  function end(client: object, idle: boolean): void {
    running -= 1
    if (holder === client && idle && !left.has(client)) holder = undefined
    startWaiting()
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
          reject(unavailableDatabase('away', 'timeout exceeded while waiting for another transaction'))
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
      engine.execute(rollback()).then(free, free)
    },
  }
}
