import { orgPath, repositoryPath } from '@/app/_lib/paths'
import type { PlaceName } from '@/server/places/schema'

/** Path of a settings page of a place, such as `hooks`. */
export function settingsPath(place: PlaceName, segment: string): string {
  switch (place.scope) {
    case 'organization':
      return orgPath(place.org, `settings/${segment}`)
    case 'own':
      return `/user/settings/${segment}`
    case 'repository':
      return repositoryPath({ full_name: `${place.owner}/${place.repo}` }, `settings/${segment}`)
    case 'site':
      return `/-/admin/${segment}`
  }
}

/** Path of the page that sets up a runner with these labels. */
export function newRunnerPath(place: PlaceName, labels: readonly string[], method = 'program'): string {
  const query = new URLSearchParams({
    ...(method === 'program' ? {} : { with: method }),
    ...(labels.length === 0 ? {} : { labels: labels.join() }),
  })
  return settingsPath(place, `actions/runners/new${query.size > 0 ? `?${query}` : ''}`)
}

/** Of the headings of settings pages: those of a repository stand below its name. */
export const headingLevel = ({ scope }: PlaceName): 1 | 2 => (scope === 'repository' ? 2 : 1)
