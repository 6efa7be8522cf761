import { requireUsableAccount } from '@/server/auth/acting-account'
import { requireScope } from '@/server/auth/require-scope'
import type { UserCaller } from '@/server/kernel/caller'
import { invalid, unauthenticated } from '@/server/kernel/errors'
import type { Upload } from '@/server/kernel/http/upload'
import type { RequestCtx } from './init'
import type { Meta } from './rest'

/**
 * Holds a token to its scopes: reading methods need read unless the endpoint says otherwise, the others write, in every
 * category of the endpoint.
 */
export function requireScopes({ caller }: Pick<RequestCtx, 'caller'>, meta: Meta | undefined): void {
  if (!meta?.rest) return
  const level = meta.rest.level ?? (meta.openapi?.method === 'GET' ? 'read' : 'write')
  requireScope(caller, { level, categories: meta.rest.scopes, isPrivate: meta.rest.private })
}

export function requireSignedIn({ caller }: RequestCtx): UserCaller {
  if (caller.kind !== 'user') throw unauthenticated()
  return caller
}

// Tokens and passwords are held to this when they are resolved, before an administrator may act as someone else.
export function requireUsableSession({ caller, config }: RequestCtx): void {
  if (caller.kind === 'user' && caller.credential.kind === 'session') {
    requireUsableAccount(caller.user, config.baseUrl)
  }
}

// Who may call is settled before what was sent is looked at.
export function requireReadableBody({ bodyError }: RequestCtx): void {
  if (bodyError) throw bodyError
}

/** @throws {DomainError} invalid for a call by a transport that has no body to read as it comes. */
export function requireUpload({ upload }: RequestCtx): Upload {
  if (!upload) throw invalid('the file must be sent as the body')
  return upload
}
