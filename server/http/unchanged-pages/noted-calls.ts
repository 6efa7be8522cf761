import { createHash } from 'node:crypto'
import { serialize } from 'node:v8'
import { TRPCError } from '@trpc/server'
import { isDomainError } from '@/server/kernel/errors'
import type { ProcedureCalls } from '@/server/kernel/page-exchange'

/** A call that a page made, and a hash of what it returned. */
export interface NotedCall {
  path: string
  input: unknown
  outcome: string
}

/**
 * Notes the calls that a page makes and what they return. A call that was made already is not made again, so that a
 * page gets the results of calls that were made to compare them.
 */
export class NotedCalls implements ProcedureCalls {
  private readonly results = new Map<string, Promise<unknown>>()
  private readonly calls = new Map<string, Omit<NotedCall, 'outcome'>>()
  private readonly outcomes = new Map<string, string>()

  async query(path: string, input: unknown, call: () => Promise<unknown>): Promise<unknown> {
    const key = keyOf(path, input)
    const known = this.results.get(key)
    if (known) return await known
    this.calls.set(key, { path, input })
    const result = call()
    this.results.set(key, result)
    try {
      const value = await result
      const outcome = hashOf(value)
      if (outcome !== undefined) this.outcomes.set(key, outcome)
      return value
    } catch (error) {
      // The page makes the call itself, because what follows from a failure depends on who calls.
      this.results.delete(key)
      if (saysAbsent(error)) this.outcomes.set(key, 'absent')
      throw error
    }
  }

  /** Returns the calls in their order; undefined if one has not ended, or has failed in a way that may pass. */
  all(): NotedCall[] | undefined {
    const noted: NotedCall[] = []
    for (const [key, call] of this.calls) {
      const outcome = this.outcomes.get(key)
      if (outcome === undefined) return undefined
      noted.push({ ...call, outcome })
    }
    return noted
  }

  /** Returns whether a call that was made already had this outcome. */
  confirms({ path, input, outcome }: NotedCall): boolean {
    return positions.has(path) || this.outcomes.get(keyOf(path, input)) === outcome
  }
}

// A page that follows live messages from an earlier position gets some that it has seen, and misses none.
const positions = new Set(['live.getCursor'])

const keyOf = (path: string, input: unknown): string => `${path} ${serialize(input).toString('latin1')}`

// Undefined for what has no such form, such as a function. JSON would not tell apart all values.
function hashOf(value: unknown): string | undefined {
  try {
    return createHash('sha256').update(serialize(value)).digest('base64url')
  } catch {
    return undefined
  }
}

const saysAbsent = (error: unknown): boolean =>
  error instanceof TRPCError &&
  error.code === 'NOT_FOUND' &&
  isDomainError(error.cause) &&
  !error.cause.movedTo
