import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from 'kysely'
import type { Db } from '@/db/client'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { reauthenticate } from '@/server/auth/reauthenticate'
import type { Account } from '@/server/kernel/account'
import { type Caller, isAdmin } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { conflict, forbidden, isDomainError, notFound, unprocessable } from '@/server/kernel/errors'
import { getVisibleAccount } from '@/server/users'
import { type RepositoryFor, repositoryWithAccess } from '../load'
import { explainRefusal } from '../name-errors'
import { ownership, requireNeed } from '../policy'
import type { Repository, TransferEffects } from '../schema'
import type { RepositoryRow } from '../store'
import { lockTransfer, requireNameNotSeen, requireRoom, requireUnblocked } from './begin'
import { eligibilityFor, ownsAll } from './eligibility'
import type { Offered } from './load'
import { moveRepository } from './move'
import { recordOffer } from './record'
import type { GiveRepositoryInput, TransferRepoOption } from './schema'
import { countEffects, countOffers, insertTransfer, selectTeamsOf, type TeamName } from './store'
import { viewWithTransfer } from './view'

// Each offer must be answered individually, and pages show only the newest ones.
const maxOffers = 20

/**
 * Transfers a repository to another account. The transfer happens immediately if the caller is a site
 * administrator, is the recipient, or can create repositories in the recipient organization. Otherwise, it
 * stays pending until the recipient accepts it.
 * @throws {DomainError} notFound for an unknown account; conflict if the repository already has a pending
 * transfer, and if the effects differ from `expected`; unprocessable for the current owner, for a name in use
 * by a repository that the caller can know of, and for teams that are not the recipient's or are hidden from
 * the caller; forbidden if one side blocks the other, above 20 pending transfers to the same account, and
 * above the recipient's repository limit for an immediate transfer; unauthenticated or forbidden if the
 * caller loses permission concurrently.
 */
export async function transferRepository(
  ctx: UserCtx,
  { repository, owner }: RepositoryFor<typeof ownership>,
  input: Pick<TransferRepoOption, 'new_owner' | 'team_ids'> & Partial<Pick<GiveRepositoryInput, 'expected'>>,
): Promise<Repository> {
  const recipient = await newOwnerOf(ctx, owner, input.new_owner)
  const doer = ctx.caller.user
  const transferred = await withTransaction(ctx.db, async trx => {
    const current = await lockTransfer(ctx, trx, { repository, owner, recipient })
    // The caller can have lost permission while the call waited for the locks.
    const now = { ...ctx, db: trx, caller: await reauthenticate({ ...ctx, db: trx }, ctx.caller) }
    requireNeed(await repositoryWithAccess(now, current, owner), ownership)
    const { isInside } = await eligibilityFor(now, recipient)
    const teams = await teamsOf(trx, recipient, isInside, input.team_ids ?? [])
    await requireUnblocked(ctx, trx, { owner, recipient, doer })
    if (current.is_offered) throw waitsAlready()
    const all = await effectsOf(now, { repository: current, owner, recipient })
    const { runs: _, ...effects } = all
    if (input.expected && !isDeepStrictEqual(effects, input.expected)) throw changedMeanwhile()
    if (effects.is_direct) {
      await requireRoom(ctx, trx, recipient, current)
      const moved = await moveRepository(ctx, trx, { repository: current, owner, recipient, doer, teams })
      return { all, found: await repositoryWithAccess(now, moved, recipient) }
    }
    await requireNameNotSeen(ctx, trx, recipient, current)
    await offer(ctx, trx, current, { recipient, teams })
    return { all, found: await repositoryWithAccess(now, { ...current, is_offered: true }, owner) }
  }).catch(error => {
    throw explainRefusal(error, repository.name, 'rename')
  })
  return { ...(await viewWithTransfer(ctx, transferred.found)), transfer_effects: transferred.all }
}

/**
 * Returns what a transfer to this account would change and remove.
 * @throws {DomainError} notFound for an unknown account; unprocessable for the current owner.
 */
export async function showEffects(
  ctx: UserCtx,
  { repository, owner }: RepositoryFor<typeof ownership>,
  newOwner: string,
): Promise<TransferEffects> {
  const recipient = await newOwnerOf(ctx, owner, newOwner)
  return await effectsOf(ctx, { repository, owner, recipient })
}

async function effectsOf(
  ctx: { db: Db; caller: Caller },
  { repository, owner, recipient }: Offered,
): Promise<TransferEffects> {
  const { mayAnswer } = await eligibilityFor(ctx, recipient)
  const isDirect = isAdmin(ctx.caller) || mayAnswer
  return {
    ...(await countEffects(ctx.db, repository.id)),
    is_direct: isDirect,
    turns_workflows_off: !(isDirect && (await ownsAll(ctx, [owner, recipient]))),
  }
}

async function newOwnerOf(ctx: UserCtx, owner: Account, name: string): Promise<Account> {
  const recipient = await recipientNamed(ctx, name)
  if (recipient.id !== owner.id) return recipient
  throw unprocessable('the new owner already owns the repository', {
    field: 'new_owner',
    reason: { code: 'ownsAlready' },
  })
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

// The error is the same for teams of another organization and teams hidden from the caller.
async function teamsOf(
  trx: Transaction<Database>,
  recipient: Account,
  isInside: boolean,
  ids: readonly number[],
): Promise<TeamName[]> {
  if (ids.length === 0) return []
  if (recipient.kind === 'person') {
    throw unprocessable('Teams can only be added to organization-owned repositories', { field: 'team_ids' })
  }
  const teams = isInside ? await selectTeamsOf(trx, recipient.id, ids) : []
  const unknown = ids.find(id => !teams.some(team => team.id === id))
  if (unknown === undefined) return teams
  throw unprocessable(`team does not belong to the new owner [id: ${unknown}]`, { field: 'team_ids' })
}

async function offer(
  ctx: UserCtx,
  trx: Transaction<Database>,
  repository: RepositoryRow,
  { recipient, teams }: { recipient: Account; teams: readonly TeamName[] },
): Promise<void> {
  const between = { recipient_id: recipient.id, doer_id: ctx.caller.user.id }
  if ((await countOffers(trx, between)) >= maxOffers) {
    throw forbidden(`too many transfers to the new owner are already pending [limit: ${maxOffers}]`, {
      reason: { code: 'tooManyOffers', most: maxOffers },
    })
  }
  const row = { ...between, repository_id: repository.id, created_at: ctx.clock.now() }
  const ids = teams.map(team => team.id)
  if (!(await insertTransfer(trx, row, ids))) throw waitsAlready()
  await recordOffer(ctx, trx, 'requested', { repository, recipient })
}

const changedMeanwhile = () =>
  conflict('the effects of this transfer have changed since they were shown; review them again', {
    reason: { code: 'changedMeanwhile', what: 'effects' },
  })

const waitsAlready = () =>
  conflict('the repository is already being transferred', { reason: { code: 'transferWaiting' } })
