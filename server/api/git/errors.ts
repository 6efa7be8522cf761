import type { Answer } from '@/server/kernel/http/call'
import { explainError } from '@/server/kernel/http/explain'
import { securityHeaders } from '@/server/kernel/http/security-headers.mjs'
import type { Logger } from '@/server/kernel/log'

/** A failure that only this transport knows; git shows its text to the person. */
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

/** Explains a failure in words that git shows to the person. */
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

/** Answers with what went wrong, in words git prints. */
export function refuseInText(error: unknown, around: { log: Logger; requestId: string }): Answer {
  const { status, text, headers } = explainGitError(error, around)
  return { status, headers: { ...plainText, ...headers }, body: `${text}\n` }
}

const plainText = {
  ...securityHeaders,
  'Content-Type': 'text/plain; charset=utf-8',
  'Cache-Control': 'no-cache',
}
