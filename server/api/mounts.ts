import { authorizedKeysMount } from './authorized-keys/handler'
import { avatarsMount } from './avatars/handler'
import { formsMount } from './forms/handler'
import { gitMount } from './git/handler'
import { healthMount } from './health/handler'
import { metricsMount } from './metrics/handler'
import type { Mount } from './mount'
import { restMount } from './rest/handler'
import { openApiMount } from './rest/openapi'
import { trpcMount } from './trpc/handler'

/**
 * Everything the site answers besides pages; the first that matches a path has it. The matcher in `proxy.ts` lists the
 * same paths by hand, which a test compares.
 */
export const mounts: readonly Mount[] = [
  openApiMount,
  restMount,
  trpcMount,
  healthMount,
  metricsMount,
  formsMount,
  avatarsMount,
  authorizedKeysMount,
  gitMount,
]
