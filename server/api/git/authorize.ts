import { authenticate } from '@/server/auth/authenticate'
import { reauthenticate } from '@/server/auth/reauthenticate'
import { requireScope } from '@/server/auth/require-scope'
import { type Caller, isAnonymous } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { isDomainError, unauthenticated } from '@/server/kernel/errors'
import { type OpenedRepository, openForFetch, openForPush, type RepositoryNames } from '@/server/repos'
import type { GitService } from './git-path'

export interface Authorized {
  ctx: ServiceCtx
  opened: OpenedRepository
}

const signIn = 'Sign in with your username and your password or an access token.'

/**
 * Authenticates the caller by the Authorization header and authorizes the Git service on the repository.
 * @throws {DomainError} unauthenticated for anonymous callers without access, so that Git asks for a password and does
 * not reveal whether the repository exists; notFound or forbidden for others.
 */
export async function authorize(
  anonymousCtx: ServiceCtx,
  authorization: string | null,
  service: GitService,
  names: RepositoryNames,
): Promise<Authorized> {
  const caller = await authenticate(anonymousCtx, { authorization })
  return await openAs({ ...anonymousCtx, caller }, service, names)
}

/**
 * Authorizes a Git service again, with the current state of credential, account and access. Passwords are not hashed
 * again.
 * @throws {DomainError} as `authorize`.
 */
export async function reauthorize(
  ctx: ServiceCtx,
  service: GitService,
  names: RepositoryNames,
): Promise<Authorized> {
  return await openAs({ ...ctx, caller: await reauthenticate(ctx, ctx.caller) }, service, names)
}

/**
 * Opens a repository for the caller.
 * @throws {DomainError} as `authorize`.
 */
async function openAs(ctx: ServiceCtx, service: GitService, names: RepositoryNames): Promise<Authorized> {
  const { caller } = ctx
  requireGitScope(caller, service)
  try {
    const opened = await (service === 'git-receive-pack' ? openForPush : openForFetch)(ctx, names)
    return { ctx, opened }
  } catch (error) {
    const refused = isDomainError(error) && (error.kind === 'notFound' || error.kind === 'forbidden')
    throw refused && isAnonymous(caller) ? unauthenticated(signIn) : error
  }
}

function requireGitScope(caller: Caller, service: GitService): void {
  const isPush = service === 'git-receive-pack'
  requireScope(
    caller,
    { level: isPush ? 'write' : 'read', categories: ['repository'], job: 'contents' },
    (needed, held) =>
      `This token cannot ${isPush ? 'push' : 'fetch'}: it needs the scope ${needed.join()} but has ${held.join() || 'none'}.`,
  )
}
