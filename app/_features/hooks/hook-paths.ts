import { settingsPath } from '@/app/_features/scopes/scope-paths'
import type { Topic } from '@/server/live/schema'
import type { ScopeName } from '@/server/scopes/schema'

/** Path of a page about the hooks of a scope; without a segment, their list. */
export function hooksPath(scope: ScopeName, segment?: string | number): string {
  return settingsPath(scope, segment === undefined ? 'hooks' : `hooks/${segment}`)
}

const routers = {
  organization: 'ofOrganization',
  repository: 'ofRepository',
  own: 'own',
  site: 'ofSite',
} as const

/** Where the API documentation tells how a hook of the scope is made. */
export const hooksDocsPath = ({ kind }: ScopeName): string => `/api/docs#hooks-${routers[kind]}-add`

/** What tells of the deliveries of these hooks: of the first ones, as all pages of a browser follow thirty topics together. */
export const hookTopics = (hooks: readonly { id: number }[]): Topic[] =>
  hooks.slice(0, 20).map(({ id }) => ({ topic: 'hook', id }))
