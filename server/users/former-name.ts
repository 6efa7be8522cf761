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
 * Removes the redirect of a name that was just assigned to an account.
 * @throws {DomainError} unprocessable if the name is still held for the account that had it before.
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
        `URLs still redirect there; its former owner and administrators can use it now, and anyone else starting ${dayOf(held.freeAt)}`,
      { field: 'username', reason: { code: 'nameHeld', name, freeAt: dayOf(held.freeAt) } },
    )
  }
  await trx.deleteFrom('account_redirects').where('name', '=', name.toLowerCase()).execute()
}

/** Records the account as the most recent former holder of this name, so that the name redirects to it. */
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

/**
 * Returns the day (`YYYY-MM-DD`, UTC) from which anyone can use this name if it is held by another account
 * until then; undefined if the caller can use it now.
 */
export async function nameFreeAt(ctx: ServiceCtx, name: string): Promise<string | undefined> {
  const held = await findHold(ctx, ctx.db, name)
  return held && dayOf(held.freeAt)
}

/**
 * Finds the account that a former name is still held for. For 30 days after a rename, only the account
 * itself, the owners of the renamed organization, and administrators can reuse the name, because programs
 * that still clone by the old name must not get someone else's code.
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
