import { withTransaction } from '@/db/transaction'
import { newSessionToken } from '@/server/auth/credentials/secret-token'
import { sessionExpiry } from '@/server/auth/credentials/session'
import { originOf, recordEvent } from '@/server/events'
import type { Account } from '@/server/kernel/account'
import type { UserCaller } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { insertSession, makeRoomForSession, touchLastLogin } from './store'

export interface OpenedSession {
  /** Session secret; must be stored only in the cookie. */
  secret: string
  caller: UserCaller
}

/**
 * Starts a session for a person who has been authenticated. Deletes their expired sessions and, if they have
 * too many, the least recently used ones.
 * @throws {DomainError} notFound if the account is deleted concurrently.
 */
export async function openSession(ctx: ServiceCtx, user: Account, userAgent: string): Promise<OpenedSession> {
  const { secret, hash } = newSessionToken()
  const now = ctx.clock.now()
  const sessionId = await withTransaction(ctx.db, async trx => {
    // Locks the account first, so that concurrent sign-ins count sessions one after another and the account
    // is not deleted.
    if (!(await touchLastLogin(trx, user.id, now))) throw notFound()
    await makeRoomForSession(trx, user.id, now)
    const id = await insertSession(trx, {
      token_hash: hash,
      user_id: user.id,
      user_agent: userAgent.slice(0, 255),
      remote_address: ctx.remoteAddress,
      expires_at: sessionExpiry(now),
    })
    // The caller of this request is still anonymous, so the actor is set explicitly.
    await recordEvent(
      trx,
      { ...originOf(ctx), actorId: user.id },
      {
        kind: 'session.opened',
        ownerId: user.id,
        facts: { sessionId: id },
      },
    )
    return id
  })
  return { secret, caller: { kind: 'user', user, credential: { kind: 'session', sessionId } } }
}
