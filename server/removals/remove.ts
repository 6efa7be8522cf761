import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { blockForOrg, blockUser } from '@/server/blocks'
import { requireAdmin } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { oneAtATime, preview } from '@/server/kernel/dry-run-preview'
import { conflict } from '@/server/kernel/errors'
import * as orgs from '@/server/orgs'
import * as teams from '@/server/teams'
import { type Removal, removeUser } from '@/server/users'
import { noteHoldings, selectLost } from './lost-repositories'
import type { RemovalEffects, RemovalTarget } from './schema'

/**
 * Returns the effects of a removal by performing it and rolling it back.
 * @throws {DomainError} the errors of the removal itself; tooManyRequests if the caller has too many
 * requests pending; on a PostgreSQL server also conflict if the same rows are being changed by someone else,
 * and unprocessable if the preview takes too long.
 */
export async function previewRemoval(ctx: UserCtx, target: RemovalTarget): Promise<RemovalEffects> {
  return await preview(ctx.db, ctx.caller.user.id, trx => removeIn(ctx, trx, target))
}

/**
 * Performs a removal if its effects are exactly the expected ones, which the person agreed to. Otherwise
 * changes nothing.
 * @throws {DomainError} the errors of the removal itself; conflict if the effects differ; tooManyRequests
 * if the caller has too many requests pending.
 */
export async function confirmRemoval(
  ctx: UserCtx,
  { target, expected }: { target: RemovalTarget; expected: RemovalEffects },
): Promise<void> {
  const work = async (trx: Transaction<Database>): Promise<void> => {
    const ended = await removeIn(ctx, trx, target)
    if (!isDeepStrictEqual(ended, expected)) {
      throw conflict(
        'the effects of this removal have changed since they were shown; review them and try again',
        {
          reason: { code: 'changedMeanwhile', what: 'effects' },
        },
      )
    }
  }
  await oneAtATime(ctx.caller.user.id, () => withTransaction(ctx.db, work))
}

async function removeIn(
  ctx: UserCtx,
  trx: Transaction<Database>,
  target: RemovalTarget,
): Promise<RemovalEffects> {
  const held = await noteHoldings(trx, target)
  const ended = await remove({ ...ctx, db: trx }, target)
  return held ? { ...ended, repositories: await selectLost(trx, held) } : ended
}

async function remove(ctx: UserCtx, target: RemovalTarget): Promise<Removal> {
  switch (target.kind) {
    case 'organization':
      return orgs.removeMember(ctx, target)
    case 'team':
      return teams.removeMember(ctx, target)
    case 'organizationMembers':
      return orgs.removeMembers(ctx, target)
    case 'teamMembers':
      return teams.removeMembers(ctx, target)
    case 'deletedTeam':
      return teams.removeTeam(ctx, await teams.loadTeam(ctx, target.id, 'ownership'))
    case 'deletedTeams':
      return teams.removeTeams(ctx, target)
    case 'deletedOrganization':
      return orgs.removeOrg(ctx, await orgs.loadOrganization(ctx, target.org, 'ownership'))
    case 'block':
      return blockUser(ctx, target)
    case 'organizationBlock':
      return blockForOrg(ctx, target)
    case 'deletedUser':
      return removeUser({ ...ctx, caller: requireAdmin(ctx.caller) }, target.username)
  }
}
