import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { dryRun, withTransaction } from '@/db/transaction'
import { timedOut } from '@/db/violation'
import { blockForOrg, blockUser } from '@/server/blocks'
import { requireAdmin } from '@/server/kernel/caller'
import { createTurns, type Turns } from '@/server/kernel/concurrency-limit'
import type { UserCtx } from '@/server/kernel/ctx'
import { conflict, unprocessable } from '@/server/kernel/errors'
import { singleton } from '@/server/kernel/singleton'
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
  return await inTurn(ctx.caller.user.id, async () => {
    try {
      return await dryRun(ctx.db, trx => takeIn(ctx, trx, wayOut))
    } catch (error) {
      throw explainTimeOut(error)
    }
  })
}

// By person, who could otherwise keep locks and connections from others.
const inTurn: Turns = (personId, work) =>
  singleton('departure-turns', () => createTurns({ maxQueue: 3 }))(personId, work)

function explainTimeOut(error: unknown): unknown {
  switch (timedOut(error)) {
    case 'lock':
      return conflict('somebody else is changing what this would end; try again in a moment', {
        reason: { code: 'cannotPreview', why: 'busy' },
        cause: error,
      })
    case 'statement':
      return unprocessable('this would end more than can be looked up in time; end part of it first', {
        reason: { code: 'cannotPreview', why: 'tooMuch' },
        cause: error,
      })
    default:
      return error
  }
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
    case 'deletedTeam':
      return teams.removeTeam(ctx, await teams.loadTeam(ctx, wayOut.id, 'ownership'))
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
