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
 * Returns what a removal would end, by running its verb and rolling back. It refuses whatever the verb refuses.
 * @throws {DomainError} whatever the verb throws; tooManyRequests when the caller asks for many at once; on a
 * database server conflict while somebody else changes the same, unprocessable when it would take too long.
 */
export async function previewRemoval(ctx: UserCtx, target: RemovalTarget): Promise<RemovalEffects> {
  return await preview(ctx.db, ctx.caller.user.id, trx => removeIn(ctx, trx, target))
}

/**
 * Removes the target if that ends exactly what the person saw before they agreed; otherwise nothing is changed.
 * @throws {DomainError} whatever the verb throws; conflict when it would end anything else; tooManyRequests when the
 * caller asks for many at once.
 */
export async function confirmRemoval(
  ctx: UserCtx,
  { target, expected }: { target: RemovalTarget; expected: RemovalEffects },
): Promise<void> {
  const work = async (trx: Transaction<Database>): Promise<void> => {
    const ended = await removeIn(ctx, trx, target)
    if (!isDeepStrictEqual(ended, expected)) {
      throw conflict('what this would end has changed since it was shown; look at it again', {
        reason: { code: 'changedMeanwhile', what: 'effects' },
      })
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
