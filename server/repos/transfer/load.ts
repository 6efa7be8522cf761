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

/** A repository to be transferred, with its current owner and the recipient. */
export interface Offered {
  repository: RepositoryRow
  owner: Account
  recipient: Account
}

/**
 * A repository with a pending transfer that the caller can accept or decline, even without being able to see
 * the repository.
 */
export type OfferedToCaller = Allowed<Offered, 'answer'>

/**
 * Loads a repository with a pending transfer to the caller, or to an organization in which the caller can
 * create repositories.
 * @throws {DomainError} notFound, also if the caller can see the repository but neither owns it nor can
 * accept the transfer; moved after a rename, if the caller can see the repository; forbidden for owners of
 * the repository who cannot accept the transfer, and for a token limited to public data if the repository or
 * the recipient is not public.
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
