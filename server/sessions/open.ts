import { withTransaction } from '@/db/transaction'
import type { Account } from '@/server/kernel/auth/account'
import { sessionExpiry } from '@/server/kernel/auth/find-session'
import { newSessionToken } from '@/server/kernel/auth/secret-token'
import type { UserCaller } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { recordEvent } from '@/server/kernel/events/record'
import { deleteExpiredSessions, insertSession, touchLastLogin } from './store'

export interface OpenedSession {
  /** For the cookie alone. */
  secret: string
  caller: UserCaller
}

/** Starts a session for a person who has proven who they are; sweeps that person's expired ones. */
export async function openSession(ctx: ServiceCtx, user: Account, userAgent: string): Promise<OpenedSession> {
  const { secret, hash } = newSessionToken()
  const now = ctx.clock.now()
  const sessionId = await withTransaction(ctx.db, async trx => {
    await deleteExpiredSessions(trx, user.id, now)
    await touchLastLogin(trx, user.id, now)
    const id = await insertSession(trx, {
      token_hash: hash,
      user_id: user.id,
      user_agent: userAgent.slice(0, 255),
      remote_address: ctx.remoteAddress,
      expires_at: sessionExpiry(now),
    })
    await recordEvent(ctx, trx, { kind: 'session.opened', ownerId: user.id, facts: {} })
    return id
  })
  return { secret, caller: { kind: 'user', user, credential: { kind: 'session', sessionId } } }
}
