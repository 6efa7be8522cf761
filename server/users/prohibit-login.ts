import { anyOf } from '@/db/sql'
import { withTransaction } from '@/db/transaction'
import { type NewEvent, originOf, recordEvents } from '@/server/events'
import { findPeopleByName } from '@/server/kernel/auth/find-account'
import type { AdminCtx } from '@/server/kernel/ctx'
import { endSessions } from './credentials'
import { requireAdminBesides } from './last-admin'
import type { ProhibitLoginInput } from './schema'

/**
 * Keeps several people from signing in, which ends their sessions, or lets them again, on behalf of an administrator.
 * Whoever is so already is passed over, as is a name that nobody has.
 * @throws {DomainError} unprocessable where no administrator who can sign in would be left.
 */
export async function prohibitLogin(
  ctx: AdminCtx,
  { usernames, prohibit_login }: ProhibitLoginInput,
): Promise<void> {
  const people = await findPeopleByName(ctx.db, usernames)
  const ids = people.map(({ id }) => id)
  await withTransaction(ctx.db, async trx => {
    if (prohibit_login) await requireAdminBesides(trx, ids)
    const changed = await trx
      .updateTable('users')
      .set({ prohibit_login })
      .where('id', '=', anyOf(ids))
      .where('prohibit_login', '<>', prohibit_login)
      .returning(['id', 'name'])
      .execute()
    if (prohibit_login)
      await endSessions(
        trx,
        changed.map(({ id }) => id),
      )
    await recordEvents(
      trx,
      originOf(ctx),
      changed.map(({ id, name }): NewEvent => {
        const facts = { userId: id, name, changed: 'prohibit_login' }
        return { kind: 'user.edited', ownerId: id, facts }
      }),
    )
  })
}
