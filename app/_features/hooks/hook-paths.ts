import { settingsPath } from '@/app/_features/scopes/scope-paths'
import type { Topic } from '@/server/live/schema'
import type { ScopeName } from '@/server/scopes/schema'

/** Returns the path of a page about a scope's hooks. Without a segment, that of their list. */
export function hooksPath(scope: ScopeName, segment?: string | number): string {
  return settingsPath(scope, segment === undefined ? 'hooks' : `hooks/${segment}`)
}

const routers = {
  organization: 'ofOrganization',
  repository: 'ofRepository',
  own: 'own',
  site: 'ofSite',
} as const

/** Returns the path to the API documentation of creating a hook in the scope. */
export const hooksDocsPath = ({ kind }: ScopeName): string => `/api/docs#hooks-${routers[kind]}-add`

/**
 * Returns live topics for these hooks' deliveries. Includes only the first 20 hooks, because all pages of a
 * browser together can follow 30 topics.
 */
export const hookTopics = (hooks: readonly { id: number }[]): Topic[] =>
  hooks.slice(0, 20).map(({ id }) => ({ topic: 'hook', id }))
