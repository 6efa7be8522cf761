import type { Updateable } from 'kysely'
import type { UsersTable } from '@/db/tables/users'
import type { EditOrgOption } from './schema'

/**
 * Returns the database columns to change for the fields of an organization's profile that are present. An
 * empty visibility leaves the column unchanged.
 */
export function profileOf(input: Omit<EditOrgOption, 'org'>): Updateable<UsersTable> & { email?: string } {
  const columns = {
    full_name: input.full_name,
    email: input.email,
    description: input.description,
    website: input.website,
    location: input.location,
    visibility: input.visibility || undefined,
    repo_admin_change_team_access: input.repo_admin_change_team_access,
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}
