import { anyOf } from '@/db/sql'
import { withTransaction } from '@/db/transaction'
import { type NewEvent, originOf, recordEvents } from '@/server/events'
import type { AdminCtx } from '@/server/kernel/ctx'
import { endSessions } from './credentials'
import { requireAdminBesides } from './last-admin'
import type { ProhibitLoginInput } from './schema'

/**
 * Prevents several people from signing in, which ends their sessions, or allows them to sign in again, on
 * behalf of an administrator. Deleted accounts and accounts already in the requested state are skipped.
 * Returns the IDs of the changed accounts.
 * @throws {DomainError} unprocessable if no administrator who can sign in would be left.
 */
export async function prohibitLogin(
  ctx: AdminCtx,
  { ids, prohibit_login }: ProhibitLoginInput,
): Promise<number[]> {
  return await withTransaction(ctx.db, async trx => {
    if (prohibit_login) await requireAdminBesides(trx, ids)
    const changed = await trx
      .updateTable('users')
      .set({ prohibit_login })
      .where('id', '=', anyOf(ids))
      .where('kind', '=', 'person')
      .where('prohibit_login', '<>', prohibit_login)
      .returning(['id', 'name'])
      .execute()
    const changedIds = changed.map(({ id }) => id)
    if (prohibit_login) await endSessions(trx, changedIds)
    await recordEvents(
      trx,
      originOf(ctx),
      changed.map(({ id, name }): NewEvent => {
        const facts = { userId: id, name, changed: 'prohibit_login' }
        return { kind: 'user.edited', ownerId: id, facts }
      }),
    )
    return changedIds
  })
}
