import type { IncomingMessage } from 'node:http'
import { authenticate, authenticateAgain } from '@/server/kernel/auth/authenticate'
import { hasScope } from '@/server/kernel/auth/scopes'
import type { Caller } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { forbidden, isDomainError, unauthenticated } from '@/server/kernel/errors'
import {
  type OpenedRepository,
  openForFetch,
  openForPush,
  type RepositoryNames,
} from '@/server/repos/storage'
import type { GitService } from './git-path'

export interface Authorized {
  ctx: ServiceCtx
  opened: OpenedRepository
}

const signIn = 'Sign in with your user name and a password or access token.'

/**
 * Settles who calls and what they may do there. Throws unauthenticated for anyone who is not signed in and may not:
 * git then asks for a password, and whether there is such a repository stays unsaid. For others notFound or forbidden.
 */
export async function authorize(
  anonymousCtx: ServiceCtx,
  request: IncomingMessage,
  service: GitService,
  names: RepositoryNames,
): Promise<Authorized> {
  const caller = await authenticate(anonymousCtx, authorizationAlone(request), new URLSearchParams())
  return await open({ ...anonymousCtx, caller }, service, names)
}

/** Settles once more what `authorize` did, as things are now; passwords are not checked again. Throws as it does. */
export async function authorizeAgain(
  ctx: ServiceCtx,
  service: GitService,
  names: RepositoryNames,
): Promise<Authorized> {
  return await open({ ...ctx, caller: await authenticateAgain(ctx, ctx.caller) }, service, names)
}

async function open(ctx: ServiceCtx, service: GitService, names: RepositoryNames): Promise<Authorized> {
  const { caller } = ctx
  requireScope(caller, service)
  try {
    const opened = await (service === 'git-receive-pack' ? openForPush : openForFetch)(ctx, names)
    return { ctx, opened }
  } catch (error) {
    const refused = isDomainError(error) && (error.kind === 'notFound' || error.kind === 'forbidden')
    throw refused && caller.kind === 'anonymous' ? unauthenticated(signIn) : error
  }
}

// Nobody acts for somebody else here.
function authorizationAlone(request: IncomingMessage): { get(name: string): string | null } {
  const { authorization = null } = request.headers
  return { get: name => (name === 'authorization' ? authorization : null) }
}

function requireScope(caller: Caller, service: GitService): void {
  if (caller.kind !== 'user' || caller.credential.kind !== 'token') return
  const { scopes } = caller.credential
  const level = service === 'git-receive-pack' ? 'write' : 'read'
  if (hasScope(scopes, 'repository', level)) return
  const purpose = level === 'write' ? 'push' : 'fetch'
  throw forbidden(
    `This token cannot ${purpose}: it needs the scope ${level}:repository, and has ${scopes.join(',') || 'none'}.`,
  )
}
