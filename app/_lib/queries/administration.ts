import { queryOptions } from '@tanstack/react-query'
import type { ListChoice } from '../list-choice'
import type { siteOrgList } from '../lists'
import { trpc } from '../trpc'

const healthMs = 15_000

/** How the site is. No event says that a disk fills, so it is asked for again and again. */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: () => trpc.health.get.query(),
  refetchInterval: healthMs,
  // Without a network it fails, which is said, and does not go on showing what was.
  networkMode: 'always',
})

export const siteOrgsQuery = (choice: ListChoice<typeof siteOrgList>) =>
  queryOptions({ queryKey: ['site-orgs', choice], queryFn: () => trpc.orgs.browse.query(choice) })
