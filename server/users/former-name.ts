import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { findRenamedAccount } from '@/server/kernel/auth/find-redirect'
import { isAdmin, isSelf } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { unprocessable } from '@/server/kernel/errors'
import { askerOf } from '@/server/kernel/permissions/asker'
import { organizationAccess } from '@/server/kernel/permissions/organization-access'

const heldDays = 30
const dayMs = 24 * 60 * 60 * 1000

/**
 * Ends the redirect of a name that an account was just given. Whoever goes on cloning by a former name must not get the
 * code of somebody else: for 30 days after a rename only the account that had the name, its owners and administrators
 * may give it away. Throws unprocessable for everybody else.
 */
export async function takeName(
  ctx: ServiceCtx,
  trx: Transaction<Database>,
  { id, name }: { id: number; name: string },
): Promise<void> {
  const lower = name.toLowerCase()
  const redirect = await trx
    .selectFrom('account_redirects')
    .select(['account_id', 'created_at'])
    .where('name', '=', lower)
    .executeTakeFirst()
  if (!redirect) return
  const freeAt = new Date(redirect.created_at.getTime() + heldDays * dayMs)
  const isFree =
    freeAt <= ctx.clock.now() || redirect.account_id === id || (await mayGiveAway(ctx, trx, lower))
  if (!isFree) {
    throw unprocessable(
      `name is reserved [name: ${name}]: another account had it until ${dayOf(redirect.created_at)}, and its old ` +
        `addresses still lead there; anybody may take it from ${dayOf(freeAt)} on, its former owner and administrators now`,
      { field: 'username' },
    )
  }
  await trx.deleteFrom('account_redirects').where('name', '=', lower).execute()
}

async function mayGiveAway(ctx: ServiceCtx, trx: Transaction<Database>, name: string): Promise<boolean> {
  if (isAdmin(ctx.caller)) return true
  const former = await findRenamedAccount(trx, name)
  if (!former) return true
  if (former.kind === 'person') return isSelf(ctx.caller, former.id)
  return (await organizationAccess(trx, askerOf(ctx.caller), former)).isOwner
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10)
