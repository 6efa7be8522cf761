import type { ServiceCtx } from '@/server/kernel/ctx'
import { type ErrorKind, errorTable } from '@/server/kernel/errors'
import type { Answer } from '@/server/kernel/http/call'
import { explainError } from '@/server/kernel/http/explain'
import { securityHeaders } from '@/server/kernel/http/security-headers.mjs'

type TwirpCode = (typeof errorTable)[ErrorKind]['twirp'] | 'malformed'

const statuses: Record<Exclude<TwirpCode, 'resource_exhausted'>, number> = {
  invalid_argument: 400,
  malformed: 400,
  unauthenticated: 401,
  permission_denied: 403,
  not_found: 404,
  bad_route: 404,
  aborted: 409,
  already_exists: 409,
  failed_precondition: 412,
  internal: 500,
  unavailable: 503,
}

/** A failure of the protocol itself: no such method, or a message that cannot be read. */
export class ProtocolError extends Error {
  constructor(
    readonly code: 'bad_route' | 'malformed',
    message: string,
  ) {
    super(message)
  }
}

/** Turns any failure into Twirp's JSON: the stock client takes everything else for a failure to try again after. */
export function presentTwirpError(error: unknown, around: Pick<ServiceCtx, 'log' | 'requestId'>): Answer {
  if (error instanceof ProtocolError) return twirpError(statuses[error.code], error.code, error.message)
  const { kind, message, status, retryAfter } = explainError(error, around)
  const code = errorTable[kind].twirp
  // Clients try again after Twirp's 429, so it is the status only where waiting helps.
  return twirpError(code === 'resource_exhausted' ? status : statuses[code], code, message, retryAfter)
}

const twirpError = (
  status: number,
  code: TwirpCode,
  msg: string,
  headers: Record<string, string> = {},
): Answer => ({
  status,
  headers: { ...commonHeaders, 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify({ code, msg }),
})

export const commonHeaders = { ...securityHeaders, 'Cache-Control': 'no-store' }
