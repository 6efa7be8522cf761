import 'server-only'
import { caller } from '@/app/_lib/server'
import type { Organization } from '@/server/orgs/schema'
import type { User } from '@/server/users/schema'

/** Which teams of the organization the viewer is in, as far as one page of a list goes. */
export async function readOwnTeamIds(org: Organization, viewer: User): Promise<number[]> {
  const { teams } = await caller()
  const { items } = viewer.is_admin
    ? await teams.mine({ limit: 50 })
    : // Finds their own teams for everybody but site administrators.
      await teams.search({ org: org.name, limit: 50 })
  return items.filter(team => team.organization.id === org.id).map(team => team.id)
}
