import { queryOptions } from '@tanstack/react-query'
import { trpc } from '../trpc'

/** The organization that blocks, or undefined for the viewer. */
export type Blocker = string | undefined

export const blocksKey = ['blocks'] as const

export const blocksQuery = (org: Blocker, page: number) =>
  queryOptions({
    queryKey: [...blocksKey, org ?? null, page],
    queryFn: () =>
      org === undefined ? trpc.blocks.list.query({ page }) : trpc.blocks.listOfOrg.query({ org, page }),
  })
