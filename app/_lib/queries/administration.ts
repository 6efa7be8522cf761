import { queryOptions } from '@tanstack/react-query'
import type { ListChoice } from '../list-choice'
import type { siteOrgList } from '../lists'
import { trpc } from '../trpc'

const healthMs = 15_000

/**
 * Returns the health of the site. Polled, because no event reports, for example, that a disk is filling up.
 */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: () => trpc.health.get.query(),
  refetchInterval: healthMs,
  // Fails when offline, so that the page shows that instead of outdated data.
  networkMode: 'always',
})

export const siteOrgsQuery = (choice: ListChoice<typeof siteOrgList>) =>
  queryOptions({ queryKey: ['site-orgs', choice], queryFn: () => trpc.orgs.browse.query(choice) })
