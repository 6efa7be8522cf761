import type { Transaction } from 'kysely'
import type { Db } from '@/db/client'
import type { Database } from '@/db/tables'
import { organizationAccess, subjectOf } from '@/server/access'
import { findRenamedAccount } from '@/server/kernel/account'
import { isAdmin, isSelf } from '@/server/kernel/caller'
import { dayMs } from '@/server/kernel/clock'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { unprocessable } from '@/server/kernel/errors'
import { formerNameDays } from './name'

/**
 * Ends the redirect of a name that an account was just given.
 * @throws {DomainError} unprocessable where the name is kept for the account that had it.
 */
export async function takeName(
  ctx: ServiceCtx,
  trx: Transaction<Database>,
  { id, name }: { id: number; name: string },
): Promise<void> {
  const held = await findHold(ctx, trx, name, id)
  if (held) {
    throw unprocessable(
      `name is reserved [name: ${name}]: another account had it until ${dayOf(held.since)}, and its old ` +
        `addresses still lead there; anybody may take it from ${dayOf(held.freeAt)} on, its former owner and administrators now`,
      { field: 'username', reason: { code: 'nameHeld', name, freeAt: dayOf(held.freeAt) } },
    )
  }
  await trx.deleteFrom('account_redirects').where('name', '=', name.toLowerCase()).execute()
}

/** Remembers which account had this name, in place of any that had it before. */
export async function leaveName(
  trx: Transaction<Database>,
  name: string,
  accountId: number,
  since: Date,
): Promise<void> {
  const redirect = { account_id: accountId, created_at: since }
  await trx
    .insertInto('account_redirects')
    .values({ name: name.toLowerCase(), ...redirect })
    .onConflict(conflict => conflict.column('name').doUpdateSet(redirect))
    .execute()
}

/** The day from which anybody may have this name, as `YYYY-MM-DD`, where it is kept from the caller until then. */
export async function nameFreeAt(ctx: ServiceCtx, name: string): Promise<string | undefined> {
  const held = await findHold(ctx, ctx.db, name)
  return held && dayOf(held.freeAt)
}

/**
 * Finds for whom a former name is held. Programs that go on cloning by it must not get somebody else's code: for a
 * while after a rename only the account that had the name, its owners and administrators may give it away.
 */
async function findHold(
  ctx: ServiceCtx,
  db: Db,
  name: string,
  forAccount?: number,
): Promise<{ since: Date; freeAt: Date } | undefined> {
  const redirect = await db
    .selectFrom('account_redirects')
    .select(['account_id', 'created_at'])
    .where('name', '=', name.toLowerCase())
    .executeTakeFirst()
  if (!redirect || redirect.account_id === forAccount) return undefined
  const freeAt = new Date(redirect.created_at.getTime() + formerNameDays * dayMs)
  if (freeAt <= ctx.clock.now() || (await mayGiveAway(ctx, db, name))) return undefined
  return { since: redirect.created_at, freeAt }
}

async function mayGiveAway(ctx: ServiceCtx, db: Db, name: string): Promise<boolean> {
  if (isAdmin(ctx.caller)) return true
  const former = await findRenamedAccount(db, name)
  if (!former) return true
  if (former.kind === 'person') return isSelf(ctx.caller, former.id)
  return (await organizationAccess(db, subjectOf(ctx.caller), former)).isOwner
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10)
