import { z } from 'zod'
import { pathText } from '@/server/kernel/wire'

/** Path parameters that identify a scope: an organization, a repository, the caller, or the site. */
export const scopePaths = {
  organization: { org: pathText },
  repository: { owner: pathText, repo: pathText },
  own: {},
  site: {},
}

/** The scope that a call of the web interface concerns. */
export const ScopeName = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('organization'), ...scopePaths.organization }),
  z.object({ kind: z.literal('repository'), ...scopePaths.repository }),
  z.object({ kind: z.literal('own'), ...scopePaths.own }),
  z.object({ kind: z.literal('site'), ...scopePaths.site }),
])
export type ScopeName = z.output<typeof ScopeName>

export const ScopePath = z.object({ scope: ScopeName })
