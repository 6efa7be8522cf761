import { sql } from 'kysely'
import { withTransaction } from '@/db/transaction'
import { hashPassword } from '@/server/auth/credentials/password'
import type { Account } from '@/server/kernel/account'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { forbidden } from '@/server/kernel/errors'
import { addAccount } from './create'
import { checkName } from './name'
import type { RegisterInput } from './schema'
import { anyUserExists } from './store'

/**
 * Creates the first account, which is an administrator.
 * @throws {DomainError} forbidden if any account exists, including one created by a concurrent call.
 */
export async function setUp(ctx: ServiceCtx, input: RegisterInput): Promise<Account> {
  const refuse = () => forbidden('this site is already set up; sign in instead')
  if (await anyUserExists(ctx.db)) throw refuse()
  checkName(input.username)
  const password_hash = await hashPassword(input.password)
  return await withTransaction(ctx.db, async trx => {
    await sql`lock table users in share row exclusive mode`.execute(trx)
    // Checked again under the lock, because a concurrent call may have created an account since.
    if (await anyUserExists(trx)) throw refuse()
    return await addAccount(
      { ...ctx, db: trx },
      { name: input.username, email: input.email, password_hash, is_admin: true },
    )
  })
}
