import type { Generated, GeneratedAlways } from 'kysely'

/** `local` accounts sign in with a password kept here; the others are proven by a login source. */
export type LoginType = 'local' | 'ldap' | 'oidc' | 'pam' | 'smtp'
export type Visibility = 'public' | 'limited' | 'private'
/** An organization owns repositories, teams and hooks like a person does, but never signs in. */
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
  /** Shows the feed of the account to nobody else but administrators. */
  hide_activity: Generated<boolean>
  created_at: Generated<Date>
  last_login_at: Date | null
  /** Of the profile and the rights; written by a trigger. */
  updated_at: Generated<Date>
  kind: Generated<AccountKind>
  repo_admin_change_team_access: Generated<boolean>
  may_create_organization: Generated<boolean>
  /** The most repositories it may own; null for the site's maximum. */
  max_repositories: number | null
  /** The counts are kept by triggers; nothing else writes them. */
  team_count: Generated<number>
  member_count: Generated<number>
  public_member_count: Generated<number>
  repository_count: Generated<number>
  public_repository_count: Generated<number>
  /** Name and full name in lower case. */
  search_name: GeneratedAlways<string>
}
