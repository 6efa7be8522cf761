import { type Allowed, requirePublic } from '@/server/access'
import { allow } from '@/server/access/allowed'
import { type Account, findAccountById, findAccountByName } from '@/server/kernel/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { deleted, forbidden } from '@/server/kernel/errors'
import { getRepository } from '../load'
import { mayDelete } from '../policy'
import type { RepoPath } from '../schema'
import { findRepositoryByName, type RepositoryRow } from '../store'
import { eligibilityFor } from './eligibility'
import { findTransfer } from './store'

/** A repository that waits for its recipient to accept it. */
export interface Offered {
  repository: RepositoryRow
  owner: Account
  recipient: Account
}

/** A repository whose transfer the caller can accept or decline, even if they cannot see the repository. */
export type OfferedToCaller = Allowed<Offered, 'answer'>

/**
 * Loads a repository that is offered to the caller, or to an organization in which they can create
 * repositories.
 * @throws {DomainError} notFound, also for callers who can only read the repository; moved after a rename,
 * for callers who can see it; forbidden for its owners, and for a token limited to public data if the
 * repository or its recipient is not public.
 */
export async function loadOffered(ctx: UserCtx, path: RepoPath): Promise<OfferedToCaller> {
  const owner = await findAccountByName(ctx.db, path.owner)
  const repository = owner && (await findRepositoryByName(ctx.db, owner.id, path.repo))
  const recipient = repository && (await recipientOf(ctx, repository))
  if (owner && repository && recipient && (await eligibilityFor(ctx, recipient)).mayAnswer) {
    requirePublic(ctx.caller, 'repos', !repository.is_private)
    const isPublic = recipient.visibility === 'public'
    requirePublic(ctx.caller, recipient.kind === 'organization' ? 'orgs' : 'users', isPublic)
    return allow({ repository, owner, recipient })
  }
  const found = await getRepository(ctx, path)
  if (recipient && mayDelete(found)) throw forbidden('only the recipient can accept or decline this transfer')
  throw deleted('transfer')
}

async function recipientOf(ctx: UserCtx, repository: RepositoryRow): Promise<Account | undefined> {
  const transfer = repository.is_offered ? await findTransfer(ctx.db, repository.id) : undefined
  return transfer && (await findAccountById(ctx.db, transfer.recipient_id))
}
