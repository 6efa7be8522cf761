import 'server-only'
import { caller } from '@/app/_lib/server'
import type { Membership } from '@/server/orgs/schema'

/** The viewer's own part in an organization. */
export async function readMembership(orgId: number): Promise<Membership | undefined> {
  const memberships = await (await caller()).orgs.mine()
  return memberships.find(({ organization }) => organization.id === orgId)
}

/** The owners of an organization, as many as one page of a list holds; for its members. */
export async function readOwnerIds(org: string): Promise<number[]> {
  const { teams } = await caller()
  // The owners team comes first.
  const [owners] = (await teams.ofOrg({ org, limit: 1 })).items
  if (owners?.permission !== 'owner') return []
  const { items } = await teams.members({ id: owners.id, limit: 50 })
  return items.map(user => user.id)
}
