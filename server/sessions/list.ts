import type { UserCtx } from '@/server/kernel/ctx'
import { wireTime } from '@/server/kernel/wire'
import type { Session } from './schema'
import { selectSessions } from './store'

/** Where the caller is signed in, most recently used first. */
export async function listSessions(ctx: UserCtx): Promise<Session[]> {
  const { user, credential } = ctx.caller
  const rows = await selectSessions(ctx.db, user.id, ctx.clock.now())
  return rows.map(row => ({
    id: row.id,
    current: credential.kind === 'session' && credential.sessionId === row.id,
    user_agent: row.user_agent,
    remote_address: row.remote_address,
    created_at: wireTime(row.created_at),
    last_seen_at: wireTime(row.last_seen_at),
  }))
}
