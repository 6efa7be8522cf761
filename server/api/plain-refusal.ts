import { type DomainError, isDomainError } from '@/server/kernel/errors'
import type { Answer } from '@/server/kernel/http/call'
import { explainError } from '@/server/kernel/http/explain'
import { withoutToken } from '@/server/kernel/http/query-token'
import { privateCaching, securityHeaders } from '@/server/kernel/http/security-headers.mjs'
import type { Logger } from '@/server/kernel/log'
import { errorAnswer } from './rest/presenter'

/** Error of a request, independent of the response format. */
export interface Refusal {
  status: number
  message: string
  headers: Record<string, string>
}

interface Names {
  owner: string
  repo: string
}

/** Path and query of a request below a repository. */
interface RepositoryNames {
  names: Names
  /** Returns the request's path with another owner and repository name. */
  at(names: Names): string
  query: string
}

/**
 * Converts a failure into an error response. If the repository in the path was renamed, it redirects to the
 * current name.
 */
export function explainRefusal(
  error: unknown,
  repository: RepositoryNames | undefined,
  around: { log: Logger; requestId: string },
): Refusal {
  if (repository && isDomainError(error) && error.movedTo) return movedTo(error, repository)
  const { status, message, retryAfter } = explainError(error, around)
  return { status, message, headers: retryAfter }
}

function movedTo({ field, movedTo }: DomainError, { names, at, query }: RepositoryNames): Refusal {
  const kept = withoutToken(query)
  const repo = movedTo?.repo ?? names.repo
  const path = at({ ...names, repo, ...(field ? { [field]: movedTo?.name } : {}) })
  const location = `${path}${kept ? `?${kept}` : ''}`
  return {
    status: movedTo?.permanent ? 301 : 307,
    message: `moved to ${location}`,
    headers: { Location: location },
  }
}

/** Formats an error as JSON for the API, or as plain text for the website. */
export function refusalAnswer(
  refusal: Refusal,
  { isApi }: { isApi: boolean },
  { baseUrl }: { baseUrl: string },
): Answer {
  const { status, message, headers } = refusal
  return isApi ? errorAnswer(status, message, baseUrl, headers) : plainAnswer(refusal)
}

/**
 * Formats an error as plain text for browsers and programs such as `curl`. A 401 asks for Basic credentials.
 */
export function plainAnswer({ status, message, headers }: Refusal): Answer {
  const asksAgain: Record<string, string> =
    status === 401 ? { 'WWW-Authenticate': 'Basic realm="Guildhall"' } : {}
  return { status, headers: { ...plainText, ...headers, ...asksAgain }, body: `${message}\n` }
}

const plainText = {
  ...securityHeaders,
  'Content-Type': 'text/plain; charset=utf-8',
  'Cache-Control': privateCaching,
}
