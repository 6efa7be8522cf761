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
  /** As far as the caller may know them. */
  teams: TeamName[]
  mayAccept: boolean
  mayCancel: boolean
  createdAt: Date
}

/** The transfer that a repository waits for, if the caller owns it or may accept it. */
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

/** Shows a waiting transfer on the pages of the repository. */
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
