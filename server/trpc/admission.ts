import { requireUsableAccount } from '@/server/auth/acting-account'
import { notForJobs, requireScope } from '@/server/auth/require-scope'
import type { ActingCaller, Caller, UserCaller } from '@/server/kernel/caller'
import { invalid, unauthenticated } from '@/server/kernel/errors'
import type { Upload } from '@/server/kernel/http/upload'
import type { RequestCtx } from './init'
import type { Meta } from './rest'

/**
 * Checks that a token has the scopes that the endpoint requires, in every category of the endpoint: read for
 * GET requests, unless the endpoint sets a level, and write for all other methods.
 * @throws {DomainError} forbidden if the token lacks a scope.
 */
export function requireScopes({ caller }: Pick<RequestCtx, 'caller'>, meta: Meta | undefined): void {
  if (!meta?.rest) return
  const level = meta.rest.level ?? (meta.openapi?.method === 'GET' ? 'read' : 'write')
  const { scopes: categories, private: isPrivate, job } = meta.rest
  requireScope(caller, { level, categories, isPrivate, job })
}

export function requireSignedIn({ caller }: RequestCtx): UserCaller {
  if (caller.kind !== 'user') throw notAPerson(caller)
  return caller
}

/**
 * Requires that the caller is a signed-in user or, at an endpoint for jobs, a job. `requireScopes` has checked the job's
 * permission.
 * @throws {DomainError} unauthenticated; forbidden for a job at another endpoint.
 */
export function requireActing({ caller }: Pick<RequestCtx, 'caller'>, meta: Meta | undefined): ActingCaller {
  if (!mayAct(caller, meta)) throw notAPerson(caller)
  return caller
}

const notAPerson = ({ kind }: Caller) => (kind === 'job' ? notForJobs() : unauthenticated())

/** Returns whether the caller is of a kind that can use an endpoint for signed-in users. */
export const mayAct = (caller: Caller, meta: Meta | undefined): caller is ActingCaller =>
  caller.kind === 'user' || (caller.kind === 'job' && meta?.rest?.job !== undefined)

// Tokens and passwords are checked for this when they are resolved, before an administrator can act as someone
// else.
export function requireUsableSession({ caller, config }: RequestCtx): void {
  if (caller.kind === 'user' && caller.credential.kind === 'session') {
    requireUsableAccount(caller.user, config.baseUrl)
  }
}

// Authorization is checked before the body, so its errors are only reported to callers who can use the
// endpoint.
export function requireReadableBody({ bodyError }: RequestCtx): void {
  if (bodyError) throw bodyError
}

/**
 * Returns the upload of a request.
 * @throws {DomainError} invalid if the transport of the request has no body that can be read as a stream.
 */
export function requireUpload({ upload }: RequestCtx): Upload {
  if (!upload) throw invalid('the file must be sent as the request body')
  return upload
}
