import type { ServiceCtx } from '@/server/kernel/ctx'
import type { DomainError } from '@/server/kernel/errors'

/** A verb's context plus what belongs to the one request it arrived in. */
export interface RequestCtx extends ServiceCtx {
  /** A body that could not be read; it is told only after the caller may know that the endpoint is theirs. */
  bodyError?: DomainError
  /** Written by procedures, sent by the transport. */
  out: { cookies: string[] }
  userAgent: string
}
