import type { ServerResponse } from 'node:http'
import { domainErrorOf } from '@/server/kernel/domain-error-of'
import { errorTable, retryAfter } from '@/server/kernel/errors'
import { securityHeaders } from '@/server/kernel/http/security-headers'
import type { Logger } from '@/server/kernel/log'

/** A refusal that only this transport knows; git shows its text to the person. */
export class GitHttpError extends Error {
  override name = 'GitHttpError'

  constructor(
    readonly status: number,
    message: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(message)
  }
}

/** Git ended without an answer, most often because it was sent half a request or none of its own. */
export const notUnderstood = (): GitHttpError =>
  new GitHttpError(400, 'Git could not read the request. Send what a git client sends.')

/** Answers with what went wrong, in words git prints; an answer that has begun is cut off instead. */
export function refuse(response: ServerResponse, error: unknown, log: Logger, requestId: string): void {
  const { status, text, headers } = explain(error, log, requestId)
  if (response.headersSent) {
    response.destroy()
    return
  }
  response.writeHead(status, { ...plainText, ...headers }).end(`${text}\n`)
}

const plainText = {
  ...securityHeaders,
  'Content-Type': 'text/plain; charset=utf-8',
  'Cache-Control': 'no-cache',
}

interface Explanation {
  status: number
  text: string
  headers: Record<string, string>
}

/** Says what went wrong in words for the person, and logs what nobody foresaw. */
export function explain(error: unknown, log: Logger, requestId: string): Explanation {
  if (error instanceof GitHttpError)
    return { status: error.status, text: error.message, headers: error.headers }
  const known = domainErrorOf(error, { log, requestId })
  if (!known) {
    log.error({ err: error, requestId }, 'unexpected failure')
    return { status: 500, text: `internal error (request ${requestId})`, headers: {} }
  }
  const headers = retryAfter(known)
  if (known.kind === 'unauthenticated') headers['WWW-Authenticate'] = 'Basic realm="Guildhall"'
  const text = known.kind === 'notFound' ? 'Repository not found.' : known.message
  return { status: errorTable[known.kind].status, text, headers }
}
