import type { Account } from '@/server/kernel/account'
import type { ViewCtx } from '@/server/kernel/ctx'
import type { Organization } from './schema'

/** Converts an organization to its API representation. Only signed-in callers see its email address. */
export function viewOrg({ caller, config }: ViewCtx, org: Account): Organization {
  return {
    id: org.id,
    name: org.name,
    full_name: org.full_name,
    email: caller.kind === 'user' ? org.email : '',
    avatar_url: `${config.baseUrl}/avatars/${org.id}`,
    description: org.description,
    website: org.website,
    location: org.location,
    visibility: org.visibility,
    repo_admin_change_team_access: org.repo_admin_change_team_access,
    username: org.name,
  }
}
