import { settingsPath } from '@/app/_features/places/place-paths'
import type { Topic } from '@/server/live/schema'
import type { PlaceName } from '@/server/places/schema'

/** Path of a page about the hooks of a place; without a segment, their list. */
export function hooksPath(place: PlaceName, segment?: string | number): string {
  return settingsPath(place, segment === undefined ? 'hooks' : `hooks/${segment}`)
}

const routers = {
  organization: 'ofOrganization',
  repository: 'ofRepository',
  own: 'own',
  site: 'ofSite',
} as const

/** Where the API documentation tells how a hook of the place is made. */
export const hooksDocsPath = ({ scope }: PlaceName): string => `/api/docs#hooks-${routers[scope]}-add`

/** What tells of the deliveries of these hooks: of the first ones, as all pages of a browser follow thirty topics together. */
export const hookTopics = (hooks: readonly { id: number }[]): Topic[] =>
  hooks.slice(0, 20).map(({ id }) => ({ topic: 'hook', id }))
