import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { blockForOrg, blockUser } from '@/server/blocks'
import { requireAdmin } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { conflict } from '@/server/kernel/errors'
import { inTurn, preview } from '@/server/kernel/preview'
import * as orgs from '@/server/orgs'
import * as teams from '@/server/teams'
import { type Departure, removeUser } from '@/server/users'
import { noteHoldings, selectLost } from './lost-repositories'
import type { DepartureEffects, WayOut } from './schema'

/**
 * Returns what a way out would end, by running the verb that ends it and rolling back. So it refuses whatever the
 * verb refuses.
 * @throws {DomainError} whatever the verb throws; tooManyRequests when the caller asks for many at once; on a
 * database server conflict while somebody else changes the same, unprocessable when it would take too long.
 */
export async function previewDeparture(ctx: UserCtx, wayOut: WayOut): Promise<DepartureEffects> {
  return await preview(ctx.db, ctx.caller.user.id, trx => takeIn(ctx, trx, wayOut))
}

/**
 * Takes a way out, if it ends exactly what the person saw before they agreed; otherwise nothing is changed.
 * @throws {DomainError} whatever the verb throws; conflict when it would end anything else; tooManyRequests when the
 * caller asks for many at once.
 */
export async function takeWayOut(
  ctx: UserCtx,
  { wayOut, expected }: { wayOut: WayOut; expected: DepartureEffects },
): Promise<void> {
  const work = async (trx: Transaction<Database>): Promise<void> => {
    const ended = await takeIn(ctx, trx, wayOut)
    if (!isDeepStrictEqual(ended, expected)) {
      throw conflict('what this would end has changed since it was shown; look at it again', {
        reason: { code: 'changedMeanwhile', what: 'effects' },
      })
    }
  }
  await inTurn(ctx.caller.user.id, () => withTransaction(ctx.db, work))
}

async function takeIn(ctx: UserCtx, trx: Transaction<Database>, wayOut: WayOut): Promise<DepartureEffects> {
  const held = await noteHoldings(trx, wayOut)
  const ended = await take({ ...ctx, db: trx }, wayOut)
  return held ? { ...ended, repositories: await selectLost(trx, held) } : ended
}

async function take(ctx: UserCtx, wayOut: WayOut): Promise<Departure> {
  switch (wayOut.way) {
    case 'organization':
      return orgs.removeMember(ctx, wayOut)
    case 'team':
      return teams.removeMember(ctx, wayOut)
    case 'organizationMembers':
      return orgs.removeMembers(ctx, wayOut)
    case 'teamMembers':
      return teams.removeMembers(ctx, wayOut)
    case 'deletedTeam':
      return teams.removeTeam(ctx, await teams.loadTeam(ctx, wayOut.id, 'ownership'))
    case 'deletedTeams':
      return teams.removeTeams(ctx, wayOut)
    case 'deletedOrganization':
      return orgs.removeOrg(ctx, await orgs.loadOrganization(ctx, wayOut.org, 'ownership'))
    case 'block':
      return blockUser(ctx, wayOut)
    case 'organizationBlock':
      return blockForOrg(ctx, wayOut)
    case 'deletedUser':
      return removeUser({ ...ctx, caller: requireAdmin(ctx.caller) }, wayOut.username)
  }
}
