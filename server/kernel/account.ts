import type { Selectable } from 'kysely'
import type { UsersTable } from '@/db/tables/users'

/** Everything about a person or organization except the password hash, which only `verify-login.ts` ever selects, and counts. */
export const accountColumns = [
  'users.id',
  'users.name',
  'users.full_name',
  'users.email',
  'users.hide_email',
  'users.login_type',
  'users.login_source_id',
  'users.login_name',
  'users.is_admin',
  'users.is_active',
  'users.prohibit_login',
  'users.must_change_password',
  'users.is_restricted',
  'users.visibility',
  'users.location',
  'users.website',
  'users.description',
  'users.language',
  'users.theme',
  'users.diff_view_style',
  'users.hide_activity',
  'users.created_at',
  'users.last_login_at',
  'users.kind',
  'users.repo_admin_change_team_access',
  'users.may_create_organization',
  'users.max_repositories',
] as const

type Column<T> = T extends `users.${infer Name extends keyof UsersTable}` ? Name : never

export type Account = Pick<Selectable<UsersTable>, Column<(typeof accountColumns)[number]>>
