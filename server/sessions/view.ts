import type { UserCaller } from '@/server/kernel/caller'
import type { Config } from '@/server/kernel/config'
import { isFeatureDisabled } from '@/server/kernel/features'
import { viewUser } from '@/server/users'
import type { CurrentSession } from './schema'

/** The signed-in person and what the pages must know to offer only what can be done. */
export function viewSession(caller: UserCaller, config: Config): CurrentSession {
  const { user } = caller
  return {
    user: viewUser(user, caller, config.baseUrl),
    must_change_password: user.must_change_password,
    login_type: user.login_type,
    may_manage_keys: !isFeatureDisabled(config, user.login_type, 'manage_ssh_keys'),
  }
}
