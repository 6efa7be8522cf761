import { createHash } from 'node:crypto'
import { serialize } from 'node:v8'
import { isDomainError } from '@/server/kernel/errors'
import type { ProcedureCalls } from '@/server/kernel/page-exchange'

/** A call that a page made, and what came of it: a hash of the result, or a failure that does not pass. */
export interface NotedCall {
  /** Its path and its serialized input. */
  key: string
  path: string
  input: unknown
  outcome: string
}

/**
 * Notes the calls that a page makes and what comes of them. A call that was made already is not made again, so that a
 * page gets the results of calls that were made to compare them.
 */
export class NotedCalls implements ProcedureCalls {
  private readonly calls = new Map<string, Pick<NotedCall, 'path' | 'input'>>()
  private readonly results = new Map<string, Promise<unknown>>()
  private readonly values = new Map<string, unknown>()
  private readonly failures = new Map<string, string>()
  /** Whether a call has failed in a way that may pass, or has had different outcomes. */
  private isUncertain = false

  async query(path: string, input: unknown, call: () => Promise<unknown>): Promise<unknown> {
    const key = keyOf(path, input)
    const known = this.results.get(key)
    if (known) return await known
    this.calls.set(key, { path, input })
    const result = call()
    this.results.set(key, result)
    try {
      const value = await result
      this.values.set(key, value)
      if (this.failures.has(key)) this.isUncertain = true
      return value
    } catch (error) {
      // The page makes the call itself, because what follows from a failure depends on who calls.
      this.results.delete(key)
      const failure = lastingFailure(error)
      const former = this.failures.get(key)
      if (failure === undefined || (former ?? failure) !== failure) this.isUncertain = true
      else this.failures.set(key, failure)
      throw error
    }
  }

  // Results are hashed only here, because a page that is not kept can have large ones.
  private outcomeOf(key: string): string | undefined {
    return this.values.has(key) ? hashOf(this.values.get(key)) : this.failures.get(key)
  }

  /** Returns the calls in their order; undefined if what came of one is uncertain, or is not known yet. */
  all(): NotedCall[] | undefined {
    const noted: NotedCall[] = []
    for (const [key, call] of this.calls) {
      const outcome = this.outcomeOf(key)
      if (outcome === undefined || this.isUncertain) return undefined
      noted.push({ key, ...call, outcome })
    }
    return noted
  }

  /** Returns whether the same came of a call that was made already. */
  confirms({ key, path, outcome }: NotedCall): boolean {
    return positions.has(path) || this.outcomeOf(key) === outcome
  }

  /** Returns what a call without input returned; undefined if it was not made. */
  valueOf(path: string): unknown {
    return this.values.get(keyOf(path, undefined))
  }

  /** Returns the first time after `now` in the results, in milliseconds since 1970. Something may expire then. */
  firstTimeAfter(now: number): number {
    const times = JSON.stringify([...this.values.values()]).match(time) ?? []
    return Math.min(...times.map(Date.parse).filter(at => at > now))
  }
}

// A page that follows live messages from an earlier position gets some that it has seen, and misses none.
const positions = new Set(['live.getCursor'])

const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g

const keyOf = (path: string, input: unknown): string => `${path} ${serialize(input).toString('latin1')}`

// Undefined for what has no such form, such as a function. JSON does not distinguish all values.
function hashOf(value: unknown): string | undefined {
  try {
    return createHash('sha256').update(serialize(value)).digest('base64url')
  } catch {
    return undefined
  }
}

const lasting = new Set(['notFound', 'methodNotAllowed', 'forbidden'])

function lastingFailure(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined
  if (!isDomainError(cause) || !lasting.has(cause.kind) || cause.movedTo) return undefined
  return `${cause.kind}: ${cause.message}`
}
