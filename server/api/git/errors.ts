import type { Answer } from '@/server/kernel/http/call'
import { explainError } from '@/server/kernel/http/explain'
import { securityHeaders } from '@/server/kernel/http/security-headers.mjs'
import type { Logger } from '@/server/kernel/log'

/** Failure of a Git request with its HTTP status. Git shows the text to the person. */
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

/**
 * Returns the failure for a Git process that ended without output, most often because it received half a request or an
 * invalid one.
 */
export const notUnderstood = (): GitHttpError =>
  new GitHttpError(400, 'Git could not read the request. Use a Git client.')

/** Converts a failure to an HTTP status and text that Git shows to the person. */
export function explainGitError(
  error: unknown,
  around: { log: Logger; requestId: string },
): { status: number; text: string; headers: Record<string, string> } {
  if (error instanceof GitHttpError) {
    return { status: error.status, text: error.message, headers: error.headers }
  }
  const { kind, status, message, retryAfter } = explainError(error, around)
  const headers = { ...retryAfter }
  if (kind === 'unauthenticated') headers['WWW-Authenticate'] = 'Basic realm="Guildhall"'
  const text = kind === 'notFound' ? 'Repository not found.' : message
  return { status, text, headers }
}

/** Returns the response to a failure as plain text, which Git prints. */
export function refuseInText(error: unknown, around: { log: Logger; requestId: string }): Answer {
  const { status, text, headers } = explainGitError(error, around)
  return { status, headers: { ...plainText, ...headers }, body: `${text}\n` }
}

const plainText = {
  ...securityHeaders,
  'Content-Type': 'text/plain; charset=utf-8',
  'Cache-Control': 'no-cache',
}
