import type { UserCtx } from '@/server/kernel/ctx'
import { isFeatureDisabled } from '@/server/kernel/features'
import { offsetOf, type Page } from '@/server/kernel/pagination'
import { wireTime } from '@/server/kernel/wire'
import { viewUser } from '@/server/users'
import { browserName } from './browser-name'
import type { BrowseSessionsInput, CurrentSession, Session } from './schema'
import { selectSessions } from './store'

/** Returns a page of the caller's sessions whose browser name or network address contains the text. */
export async function browseSessions(ctx: UserCtx, input: BrowseSessionsInput): Promise<Page<Session>> {
  const { user, credential } = ctx.caller
  // Filtered here because names are derived from stored data; a person has at most a hundred sessions.
  const rows = await selectSessions(ctx.db, user.id, ctx.clock.now())
  const text = input.q.toLowerCase()
  const found = rows
    .map(row => ({ row, name: browserName(row.user_agent) }))
    .filter(({ row, name }) => `${name}\n${row.remote_address}`.toLowerCase().includes(text))
  if (input.sort === 'newest') found.sort((one, other) => other.row.id - one.row.id)
  const { page, limit } = input
  const items = found.slice(offsetOf(input), offsetOf(input) + limit).map(({ row, name }) => ({
    id: row.id,
    current: credential.kind === 'session' && credential.sessionId === row.id,
    name,
    user_agent: row.user_agent,
    remote_address: row.remote_address,
    created_at: wireTime(row.created_at),
    last_seen_at: wireTime(row.last_seen_at),
  }))
  return { items, total: found.length, page, limit }
}

/** Returns the signed-in person and the data that pages need to show only available actions. */
export function viewSession(ctx: Pick<UserCtx, 'caller' | 'config'>): CurrentSession {
  const { user } = ctx.caller
  return {
    user: viewUser(ctx, user),
    must_change_password: user.must_change_password,
    login_type: user.login_type,
    may_manage_keys: !isFeatureDisabled(ctx.config, user.login_type, 'manage_ssh_keys'),
  }
}
