import type { UserCtx } from '@/server/kernel/ctx'
import { isFeatureDisabled } from '@/server/kernel/features'
import { wireTime } from '@/server/kernel/wire'
import { viewUser } from '@/server/users'
import type { CurrentSession, Session } from './schema'
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

/** The signed-in person and what the pages must know to offer only what can be done. */
export function viewSession(ctx: Pick<UserCtx, 'caller' | 'config'>): CurrentSession {
  const { user } = ctx.caller
  return {
    user: viewUser(ctx, user),
    must_change_password: user.must_change_password,
    login_type: user.login_type,
    may_manage_keys: !isFeatureDisabled(ctx.config, user.login_type, 'manage_ssh_keys'),
  }
}
