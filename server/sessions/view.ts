import type { UserCtx } from '@/server/kernel/ctx'
import { isFeatureDisabled } from '@/server/kernel/features'
import { viewUser } from '@/server/users'
import type { CurrentSession } from './schema'

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
