import { type DomainError, isDomainError } from '@/server/kernel/errors'
import type { Answer } from '@/server/kernel/http/call'
import { explainError } from '@/server/kernel/http/explain'
import { withoutToken } from '@/server/kernel/http/query-token'
import { privateCaching, securityHeaders } from '@/server/kernel/http/security-headers.mjs'
import type { Logger } from '@/server/kernel/log'
import { errorAnswer } from './rest/presenter'

/** Why a call was refused, for every shape that an answer may have. */
export interface Refusal {
  status: number
  message: string
  headers: Record<string, string>
}

interface Names {
  owner: string
  repo: string
}

/** A path below a repository. */
interface RepositoryNames {
  names: Names
  /** The same path of the repository by other names. */
  at(names: Names): string
  query: string
}

/** Says why a call failed; after a rename, where it leads now, where the call names a repository. */
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

/** Answers a refusal: as JSON in the API, as plain text on the site. */
export function refusalAnswer(
  refusal: Refusal,
  { isApi }: { isApi: boolean },
  { baseUrl }: { baseUrl: string },
): Answer {
  const { status, message, headers } = refusal
  return isApi ? errorAnswer(status, message, baseUrl, headers) : plainAnswer(refusal)
}

/** Dresses a refusal as plain text, for browsers and programs such as `curl`. */
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
