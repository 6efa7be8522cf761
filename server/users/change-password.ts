import { withTransaction } from '@/db/transaction'
import { hashPassword } from '@/server/auth/credentials/password'
import { originOf, recordEvent } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import { forbidden, notFound, unprocessable } from '@/server/kernel/errors'
import { isFeatureDisabled } from '@/server/kernel/features'
import { endSessions } from './credentials'
import { provePassword } from './prove-password'
import type { ChangePasswordInput } from './schema'
import { updateUser } from './store'

/**
 * Changes the caller's password after verifying the current one, and ends all of their other sessions.
 * @throws {DomainError} unprocessable if the current password is wrong or the new one is the same; forbidden
 * if the account's password is managed elsewhere.
 */
export async function changePassword(ctx: UserCtx, input: ChangePasswordInput): Promise<void> {
  const { user, credential } = ctx.caller
  const elsewhere =
    user.login_type !== 'local' || isFeatureDisabled(ctx.config, user.login_type, 'manage_credentials')
  if (elsewhere) throw forbidden('the password of this account is managed elsewhere')
  await provePassword(ctx, input.current_password)
  if (input.new_password === input.current_password) {
    throw unprocessable('The new password must differ from the current one.', { field: 'new_password' })
  }
  const password_hash = await hashPassword(input.new_password)
  await withTransaction(ctx.db, async trx => {
    const changed = await updateUser(trx, user.id, { password_hash, must_change_password: false })
    if (!changed) throw notFound()
    await endSessions(trx, [user.id], credential.kind === 'session' ? credential.sessionId : undefined)
    await recordEvent(trx, originOf(ctx), {
      kind: 'password.changed',
      ownerId: user.id,
      facts: { userId: user.id },
    })
  })
}
