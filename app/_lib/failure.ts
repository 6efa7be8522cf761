import { isTRPCClientError } from '@trpc/client'
import type { FieldValues, Path, UseFormGetValues, UseFormSetError } from 'react-hook-form'
import type { ErrorKind } from '@/server/kernel/errors'
import { messageFor } from './failure-messages'
import type { AppRouter } from './trpc'

/** What a screen may know of a call that failed. */
export interface Failure {
  kind: ErrorKind | 'unreachable'
  message: string
  field?: string | undefined
  /** Of a conflict between two editors: what the fields hold on the server by now. */
  current?: Record<string, string | boolean> | undefined
}

const unreachable: Failure = {
  kind: 'unreachable',
  message: 'The server could not be reached. Check your connection and try again.',
}

export function readFailure(error: unknown): Failure {
  if (!isTRPCClientError<AppRouter>(error) || !error.data) return unreachable
  const { kind, field, current, movedTo, reason } = error.data
  const message = reason
    ? messageFor(reason)
    : movedTo
      ? `Somebody has renamed this to “${movedTo}” meanwhile. Open it under that name and try again.`
      : sentence(error.message)
  return { kind: kind as ErrorKind, message, field, current }
}

/** The server speaks in lower-case prose; a screen shows whole sentences. */
function sentence(text: string): string {
  const start = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?)]$/.test(start) ? start : `${start}.`
}

interface Form<T extends FieldValues> {
  setError: UseFormSetError<T>
  getValues: UseFormGetValues<T>
}

/** Puts a failed call where the person can act on it: beside its field, or above the form. */
export function showFailure<T extends FieldValues>(form: Form<T>, error: unknown): void {
  const { field, message } = readFailure(error)
  const known = field !== undefined && field in form.getValues()
  form.setError(known ? (field as Path<T>) : 'root.server', { message }, { shouldFocus: known })
}
