import 'server-only'
import { notFound } from 'next/navigation'
import { readOrgAsManager } from '@/app/_features/orgs/read-org'
import { repositoryAt } from '@/app/_features/repos/read-repository'
import { requireAdmin, requireSession } from '@/app/_lib/server'
import type { Topic } from '@/server/live/schema'
import type { PlaceName } from '@/server/places/schema'

interface ShownPlace {
  place: PlaceName
  /** What tells of things that happen there. */
  topics: readonly Topic[]
}

/** Loads the place whose settings a route shows; whoever may not see them is shown that there is no such page. */
export type PlaceOf<Params> = (params: Params) => Promise<ShownPlace>

export const placeOfOrg: PlaceOf<{ org: string }> = async ({ org }) => {
  const { organization } = await readOrgAsManager(org)
  const { id, name } = organization
  return { place: { scope: 'organization', org: name }, topics: [{ topic: 'organization', id }] }
}

export const placeOfRepository: PlaceOf<{ username: string; repo: string }> = async ({ username, repo }) => {
  await requireSession()
  const { repository, may_administer: mayAdminister } = await repositoryAt(username, repo)
  if (!mayAdminister) notFound()
  const { id, name, owner } = repository
  return {
    place: { scope: 'repository', owner: owner.login, repo: name },
    topics: [{ topic: 'repository', id }],
  }
}

export const placeOfUser: PlaceOf<object> = async () => {
  await requireSession()
  return { place: { scope: 'own' }, topics: [{ topic: 'account' }] }
}

export const placeOfSite: PlaceOf<object> = async () => {
  await requireAdmin()
  return { place: { scope: 'site' }, topics: [{ topic: 'site' }] }
}
