import { isTRPCClientError } from '@trpc/client'
import type { ErrorKind } from '@/server/kernel/errors'
import type { AppRouter } from './trpc'

/** What a screen may know of a call that failed. */
export interface Failure {
  kind: ErrorKind | 'unreachable'
  message: string
  field?: string | undefined
}

const unreachable: Failure = {
  kind: 'unreachable',
  message: 'The server could not be reached. Check your connection and try again.',
}

export function readFailure(error: unknown): Failure {
  if (!isTRPCClientError<AppRouter>(error) || !error.data) return unreachable
  const { kind, field } = error.data
  return { kind: kind as ErrorKind, message: sentence(error.message), field }
}

/** The server speaks in lower-case prose; a screen shows whole sentences. */
export function sentence(text: string): string {
  const start = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?)]$/.test(start) ? start : `${start}.`
}
