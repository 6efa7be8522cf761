import type { Generated, GeneratedAlways } from 'kysely'

/** How an account signs in: `local` with a password stored here, all others through a login source. */
export type LoginType = 'local' | 'ldap' | 'oidc' | 'pam' | 'smtp'
export type Visibility = 'public' | 'limited' | 'private'
/** An organization owns repositories, teams and webhooks like a person does, but cannot sign in. */
export type AccountKind = 'person' | 'organization'

export interface UsersTable {
  id: Generated<number>
  name: string
  full_name: Generated<string>
  email: string
  hide_email: Generated<boolean>
  password_hash: string | null
  login_type: Generated<LoginType>
  login_source_id: number | null
  login_name: Generated<string>
  is_admin: Generated<boolean>
  is_active: Generated<boolean>
  prohibit_login: Generated<boolean>
  must_change_password: Generated<boolean>
  is_restricted: Generated<boolean>
  visibility: Generated<Visibility>
  location: Generated<string>
  website: Generated<string>
  description: Generated<string>
  language: Generated<string>
  theme: Generated<string>
  diff_view_style: Generated<'' | 'unified' | 'split'>
  /** Whether to show the account's feed only to the account itself and to administrators. */
  hide_activity: Generated<boolean>
  created_at: Generated<Date>
  last_login_at: Date | null
  /** When the profile or permissions last changed; written by a trigger. */
  updated_at: Generated<Date>
  kind: Generated<AccountKind>
  repo_admin_change_team_access: Generated<boolean>
  may_create_organization: Generated<boolean>
  /** Maximum number of repositories that the account can own; null for the instance-wide maximum. */
  max_repositories: number | null
  /** Number of teams; maintained by triggers, like the other counts. */
  team_count: Generated<number>
  member_count: Generated<number>
  public_member_count: Generated<number>
  repository_count: Generated<number>
  public_repository_count: Generated<number>
  /** Name and full name in lowercase. */
  search_name: GeneratedAlways<string>
}
