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

/** Failure of the protocol itself: an unknown method, or a message that cannot be read. */
export class ProtocolError extends Error {
  constructor(
    readonly code: 'bad_route' | 'malformed',
    message: string,
  ) {
    super(message)
  }
}

/** Converts any failure to Twirp's JSON, because the stock client retries after every other response. */
export function presentTwirpError(error: unknown, around: Pick<ServiceCtx, 'log' | 'requestId'>): Answer {
  if (error instanceof ProtocolError) return twirpError(statuses[error.code], error.code, error.message)
  const { kind, message, status, retryAfter } = explainError(error, around)
  const code = errorTable[kind].twirp
  // Clients retry after Twirp's status 429, so it is used only if waiting helps.
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
