import 'server-only'
import { readOrgIfAny } from '@/app/_features/orgs/read-org'
import { caller } from '@/app/_lib/server'

/**
 * Who a new repository can belong to: oneself, and the organizations one may make repositories in. The one asked for
 * counts too when it is none of one's own, as administrators of the site may use any.
 */
export async function possibleOwners(me: string, wanted: string): Promise<string[]> {
  const memberships = await (await caller()).orgs.listMemberships()
  const own = memberships.filter(({ mayCreateRepository }) => mayCreateRepository)
  const owners = [me, ...own.map(({ organization }) => organization.name)]
  if (wanted === '' || owners.some(name => isSame(name, wanted))) return owners
  const org = await readOrgIfAny(wanted)
  return org?.access.mayCreateRepository ? [...owners, org.organization.name] : owners
}

export const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
