import { z } from 'zod'
import { pathText } from '@/server/kernel/wire'

/** What names a place in paths: an organization, a repository, the caller, or the site. */
export const placePaths = {
  organization: { org: pathText },
  repository: { owner: pathText, repo: pathText },
  own: {},
  site: {},
}

/** The place that a page's call is about. */
export const PlaceName = z.discriminatedUnion('scope', [
  z.object({ scope: z.literal('organization'), ...placePaths.organization }),
  z.object({ scope: z.literal('repository'), ...placePaths.repository }),
  z.object({ scope: z.literal('own'), ...placePaths.own }),
  z.object({ scope: z.literal('site'), ...placePaths.site }),
])
export type PlaceName = z.output<typeof PlaceName>

export const PlacePath = z.object({ place: PlaceName })
