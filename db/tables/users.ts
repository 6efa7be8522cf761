import type { Generated } from 'kysely'

/** `local` accounts sign in with a password kept here; the others are proven by a login source. */
export type LoginType = 'local' | 'ldap' | 'oidc' | 'pam' | 'smtp'
export type Visibility = 'public' | 'limited' | 'private'

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
  created_at: Generated<Date>
  last_login_at: Date | null
}
