import { settingsPath } from '@/app/_features/places/place-paths'
import type { Topic } from '@/server/live/schema'
import type { PlaceName } from '@/server/places/schema'

/** Path of a page about the hooks of a place; without a segment, their list. */
export function hooksPath(place: PlaceName, segment?: string | number): string {
  return settingsPath(place, segment === undefined ? 'hooks' : `hooks/${segment}`)
}

/** What tells of the deliveries of these hooks: of the first ones, as all pages of a browser follow thirty topics together. */
export const hookTopics = (hooks: readonly { id: number }[]): Topic[] =>
  hooks.slice(0, 20).map(({ id }) => ({ topic: 'hook', id }))
