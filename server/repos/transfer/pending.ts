import { type Account, findAccountById } from '@/server/kernel/account'
import { isAnonymous } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { wireTime } from '@/server/kernel/wire'
import type { RepositoryWithAccess } from '../load'
import { mayDelete } from '../policy'
import type { RepositoryHome } from '../schema'
import { eligibilityFor } from './eligibility'
import { findTransfer, selectTransferTeams, type TeamName } from './store'

export interface PendingTransfer {
  recipient: Account
  doer: Account
  /** The recipient's teams that will get access, if the caller can know them. */
  teams: TeamName[]
  mayAccept: boolean
  mayCancel: boolean
  createdAt: Date
}

/**
 * Returns the repository's pending transfer if the caller owns the repository or can accept it; otherwise
 * undefined.
 */
export async function pendingTransfer(
  ctx: ServiceCtx,
  found: RepositoryWithAccess,
): Promise<PendingTransfer | undefined> {
  const { id, is_offered: isOffered } = found.repository
  if (!isOffered || isAnonymous(ctx.caller)) return undefined
  const row = await findTransfer(ctx.db, id)
  const recipient = row && (await findAccountById(ctx.db, row.recipient_id))
  const doer = row && (await findAccountById(ctx.db, row.doer_id))
  if (!recipient || !doer) return undefined
  const { mayAnswer, isInside } = await eligibilityFor(ctx, recipient)
  const mayCancel = mayDelete(found)
  if (!mayAnswer && !mayCancel) return undefined
  const teams = isInside ? await selectTransferTeams(ctx.db, id) : []
  return { recipient, doer, teams, mayAccept: mayAnswer, mayCancel, createdAt: row.created_at }
}

/**
 * Returns the repository's pending transfer in the form that is shown on its pages; null unless the caller
 * owns the repository or can accept the transfer.
 */
export async function viewPending(
  ctx: ServiceCtx,
  found: RepositoryWithAccess,
): Promise<RepositoryHome['transfer']> {
  const pending = await pendingTransfer(ctx, found)
  if (!pending) return null
  return {
    recipient: pending.recipient.name,
    doer: pending.doer.name,
    teams: pending.teams.map(({ name }) => name),
    may_accept: pending.mayAccept,
    may_cancel: pending.mayCancel,
    created_at: wireTime(pending.createdAt),
  }
}
