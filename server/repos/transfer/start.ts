import { withTransaction } from '@/db/transaction'
import type { Account } from '@/server/kernel/auth/account'
import { isAdmin } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { conflict, isDomainError, notFound, unprocessable } from '@/server/kernel/errors'
import { getVisibleAccount } from '@/server/users'
import { type RepositoryFor, repositoryWithAccess } from '../load'
import { explainRefusal } from '../name-errors'
import type { ownership } from '../policy'
import type { Repository } from '../schema'
import type { RepositoryRow } from '../store'
import { lockTransfer } from './begin'
import { moveRepository } from './move'
import { recordOffer } from './record'
import type { TransferRepoOption } from './schema'
import { standingWith } from './standing'
import { insertTransfer, selectTeamsOf, type TeamName } from './store'
import { viewWithTransfer } from './view'

/**
 * Gives a repository to another account. It is done at once for site administrators, to an organization that the caller may
 * create repositories in, and to the caller; everybody else is asked to accept it.
 * @throws {DomainError} notFound for an unknown account; conflict while the repository waits for one already; unprocessable
 * for its owner, a name in use there, and teams that are not the recipient's or that the caller may not know; forbidden for a
 * block and above the recipient's maximum.
 */
export async function transferRepository(
  ctx: UserCtx,
  { repository, owner }: RepositoryFor<typeof ownership>,
  input: Pick<TransferRepoOption, 'new_owner' | 'team_ids'>,
): Promise<Repository> {
  const recipient = await recipientNamed(ctx, input.new_owner)
  if (recipient.id === owner.id) {
    throw unprocessable('the new owner owns the repository already', {
      field: 'new_owner',
      reason: { code: 'ownsAlready' },
    })
  }
  const { mayAnswer, isInside } = await standingWith(ctx, recipient)
  const teams = await teamsOf(ctx, recipient, isInside, input.team_ids ?? [])
  const isDirect = isAdmin(ctx.caller) || mayAnswer
  const doer = ctx.caller.user
  const saved = await withTransaction(ctx.db, async trx => {
    const current = await lockTransfer(ctx, trx, { repository, owner, recipient, doer })
    if (current.is_offered) throw waitsAlready()
    if (isDirect)
      return await moveRepository(ctx, trx, { repository: current, owner, recipient, doer, teams })
    await offer(ctx, trx, current, { recipient, teams })
    return { ...current, is_offered: true }
  }).catch(error => {
    throw explainRefusal(error, repository.name, 'rename')
  })
  return await viewWithTransfer(ctx, await repositoryWithAccess(ctx, saved, isDirect ? recipient : owner))
}

async function recipientNamed(ctx: UserCtx, name: string): Promise<Account> {
  try {
    return await getVisibleAccount(ctx, name)
  } catch (error) {
    if (!isDomainError(error) || error.kind !== 'notFound') throw error
    throw notFound('The new owner does not exist or cannot be found', {
      field: 'new_owner',
      reason: { code: 'noSuchAccount', name },
    })
  }
}

// One answer for teams that are another's and those that the caller may not know of.
async function teamsOf(
  ctx: UserCtx,
  recipient: Account,
  isInside: boolean,
  ids: readonly number[],
): Promise<TeamName[]> {
  if (ids.length === 0) return []
  if (recipient.kind === 'person') {
    throw unprocessable('Teams can only be added to organization-owned repositories', { field: 'team_ids' })
  }
  const teams = isInside ? await selectTeamsOf(ctx.db, recipient.id, ids) : []
  const unknown = ids.find(id => !teams.some(team => team.id === id))
  if (unknown === undefined) return teams
  throw unprocessable(`team does not belong to the new owner [id: ${unknown}]`, { field: 'team_ids' })
}

async function offer(
  ctx: UserCtx,
  trx: Parameters<Parameters<typeof withTransaction>[1]>[0],
  repository: RepositoryRow,
  { recipient, teams }: { recipient: Account; teams: readonly TeamName[] },
): Promise<void> {
  const row = {
    repository_id: repository.id,
    recipient_id: recipient.id,
    doer_id: ctx.caller.user.id,
    created_at: ctx.clock.now(),
  }
  const ids = teams.map(team => team.id)
  if (!(await insertTransfer(trx, row, ids))) throw waitsAlready()
  await recordOffer(ctx, trx, 'requested', { repository, recipient })
}

const waitsAlready = () =>
  conflict('the repository is being transferred already', { reason: { code: 'transferWaiting' } })
