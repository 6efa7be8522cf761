import { isDeepStrictEqual } from 'node:util'
import { rehearse, withTransaction } from '@/db/transaction'
import { blockForOrg, blockUser } from '@/server/blocks'
import type { UserCtx } from '@/server/kernel/ctx'
import { conflict, forbidden } from '@/server/kernel/errors'
import * as orgs from '@/server/orgs'
import * as teams from '@/server/teams'
import { type Departure, removeUser } from '@/server/users'
import type { WayOut } from './schema'

/**
 * Tells what a way out would end, by the very verb that ends it: its work is taken back. So it also refuses what would be
 * refused. Throws as the verb does.
 */
export async function previewDeparture(ctx: UserCtx, wayOut: WayOut): Promise<Departure> {
  return await rehearse(ctx.db, trx => take({ ...ctx, db: trx }, wayOut))
}

/**
 * Takes a way out, if it ends exactly what the person was told before they agreed. Throws as the verb does, conflict when
 * it would end anything else: nothing is changed then.
 */
export async function takeWayOut(
  ctx: UserCtx,
  { wayOut, expected }: { wayOut: WayOut; expected: Departure },
): Promise<void> {
  await withTransaction(ctx.db, async trx => {
    const ended = await take({ ...ctx, db: trx }, wayOut)
    if (!isDeepStrictEqual(ended, expected)) {
      throw conflict('what this would end has changed since it was shown; look at it again', {
        reason: { code: 'changedMeanwhile', what: 'effects' },
      })
    }
  })
}

function take(ctx: UserCtx, wayOut: WayOut): Promise<Departure> {
  switch (wayOut.way) {
    case 'organization':
      return orgs.removeMember(ctx, wayOut)
    case 'team':
      return teams.removeMember(ctx, wayOut)
    case 'deletedTeam':
      return teams.removeTeam(ctx, wayOut.id)
    case 'deletedOrganization':
      return orgs.removeOrg(ctx, wayOut.org)
    case 'block':
      return blockUser(ctx, wayOut)
    case 'organizationBlock':
      return blockForOrg(ctx, wayOut)
    case 'deletedUser':
      if (!ctx.caller.user.is_admin) throw forbidden('user should be the site admin')
      return removeUser(ctx, wayOut.username)
  }
}
