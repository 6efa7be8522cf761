import { orgPath, repositoryPath } from '@/app/_lib/paths'
import type { Topic } from '@/server/live/schema'
import type { PlaceName } from '@/server/places/schema'

/** Path of a page about the hooks of an organization, a person, a repository or the site; without a segment, their list. */
export function hooksPath(place: PlaceName, segment?: string | number): string {
  const list = listPath(place)
  return segment === undefined ? list : `${list}/${segment}`
}

function listPath(place: PlaceName): string {
  switch (place.scope) {
    case 'organization':
      return orgPath(place.org, 'settings/hooks')
    case 'own':
      return '/user/settings/hooks'
    case 'repository':
      return repositoryPath({ full_name: `${place.owner}/${place.repo}` }, 'settings/hooks')
    case 'site':
      return '/-/admin/hooks'
  }
}

/** Path of the same hooks in the API. */
export function hooksApiPath(place: PlaceName): string {
  switch (place.scope) {
    case 'organization':
      return `/orgs/${encodeURIComponent(place.org)}/hooks`
    case 'own':
      return '/user/hooks'
    case 'repository':
      return `/repos/${encodeURIComponent(place.owner)}/${encodeURIComponent(place.repo)}/hooks`
    case 'site':
      return '/admin/hooks'
  }
}

/** Of the headings of these pages: those of a repository stand below its name. */
export const headingLevel = ({ scope }: PlaceName): 1 | 2 => (scope === 'repository' ? 2 : 1)

/** What tells of the deliveries of these hooks: of the first ones, as all pages of a browser follow thirty topics together. */
export const hookTopics = (hooks: readonly { id: number }[]): Topic[] =>
  hooks.slice(0, 20).map(({ id }) => ({ topic: 'hook', id }))
