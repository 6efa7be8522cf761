import 'server-only'
import { notFound } from 'next/navigation'
import { readOrgAsManager } from '@/app/_features/orgs/read-org'
import { repositoryAt } from '@/app/_features/repos/read-repository'
import { requireAdmin, requireSession } from '@/app/_lib/server'
import type { Topic } from '@/server/live/schema'
import type { ScopeName } from '@/server/scopes/schema'

interface ShownScope {
  scope: ScopeName
  /** Live topics that report events in the scope. */
  topics: readonly Topic[]
}

/** Loads the scope whose settings a route shows. Shows "not found" to people who can't manage it. */
export type ScopeOf<Params> = (params: Params) => Promise<ShownScope>

export const scopeOfOrg: ScopeOf<{ org: string }> = async ({ org }) => {
  const { organization } = await readOrgAsManager(org)
  const { id, name } = organization
  return { scope: { kind: 'organization', org: name }, topics: [{ topic: 'organization', id }] }
}

export const scopeOfRepository: ScopeOf<{ username: string; repo: string }> = async ({ username, repo }) => {
  await requireSession()
  const { repository, may_administer: mayAdminister } = await repositoryAt(username, repo)
  if (!mayAdminister) notFound()
  const { id, name, owner } = repository
  return {
    scope: { kind: 'repository', owner: owner.login, repo: name },
    topics: [{ topic: 'repository', id }],
  }
}

export const scopeOfUser: ScopeOf<object> = async () => {
  await requireSession()
  return { scope: { kind: 'own' }, topics: [{ topic: 'account' }] }
}

export const scopeOfSite: ScopeOf<object> = async () => {
  await requireAdmin()
  return { scope: { kind: 'site' }, topics: [{ topic: 'site' }] }
}
