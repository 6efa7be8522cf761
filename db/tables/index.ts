import type { AccessTokensTable } from './access-tokens'
import type { EventsTable } from './events'
import type { LoginSourcesTable } from './login-sources'
import type { PublicKeysTable } from './public-keys'
import type { SessionsTable } from './sessions'
import type { UserBlocksTable } from './user-blocks'
import type { UsersTable } from './users'

/** Every table by its name in the database; one file per row type. */
export interface Database {
  access_tokens: AccessTokensTable
  events: EventsTable
  login_sources: LoginSourcesTable
  public_keys: PublicKeysTable
  sessions: SessionsTable
  user_blocks: UserBlocksTable
  users: UsersTable
}
