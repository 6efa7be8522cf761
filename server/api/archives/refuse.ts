import { type DomainError, isDomainError } from '@/server/kernel/errors'
import type { Answer, Call } from '@/server/kernel/http/call'
import { explainError } from '@/server/kernel/http/explain'
import { withoutToken } from '@/server/kernel/http/query-token'
import { privateCaching, securityHeaders } from '@/server/kernel/http/security-headers'
import type { Services } from '@/server/services'
import { GitHttpError } from '../git/errors'
import { errorAnswer } from '../rest/presenter'
import type { ArchiveTarget } from './archive-path'

/** Answers with what went wrong: the API in its own shape, the site in plain text. */
export function refuse(
  error: unknown,
  target: ArchiveTarget,
  { query }: Call,
  { config, log, requestId }: Pick<Services, 'config' | 'log'> & { requestId: string },
): Answer {
  const { status, message, headers } = explain(error, target, query, { log, requestId })
  if (target.isApi) return errorAnswer(status, message, config.baseUrl, headers)
  return { status, headers: { ...plainText, ...headers }, body: `${message}\n` }
}

interface Refusal {
  status: number
  message: string
  headers: Record<string, string>
}

function explain(
  error: unknown,
  target: ArchiveTarget,
  query: string,
  around: Pick<Services, 'log'> & { requestId: string },
): Refusal {
  if (error instanceof GitHttpError) return error
  if (isDomainError(error) && error.movedTo) return movedTo(error, target, query)
  const { kind, status, message, retryAfter } = explainError(error, around)
  const asksAgain = kind === 'unauthenticated' && !target.isApi
  return {
    status,
    message,
    headers: { ...retryAfter, ...(asksAgain ? { 'WWW-Authenticate': 'Basic realm="Guildhall"' } : {}) },
  }
}

function movedTo({ field, movedTo }: DomainError, target: ArchiveTarget, query: string): Refusal {
  const { owner, repo } = target
  const names = { owner, repo, ...(field ? { [field]: movedTo?.name } : {}) }
  const kept = withoutToken(query)
  const location = `${target.of(names)}${kept ? `?${kept}` : ''}`
  return {
    status: movedTo?.permanent ? 301 : 307,
    message: `moved to ${location}`,
    headers: { Location: location },
  }
}

const plainText = {
  ...securityHeaders,
  'Content-Type': 'text/plain; charset=utf-8',
  'Cache-Control': privateCaching,
}
