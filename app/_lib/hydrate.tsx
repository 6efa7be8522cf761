import { dehydrate, HydrationBoundary, QueryClient, type QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'

interface HydrateProps {
  /** Which query each answer belongs to. */
  entries: readonly (readonly [{ queryKey: QueryKey }, unknown])[]
  children: ReactNode
}

/** Hands what the server has read to the queries of the page, so the first paint is complete. */
export function Hydrate({ entries, children }: HydrateProps): ReactNode {
  const client = new QueryClient()
  for (const [{ queryKey }, answer] of entries) client.setQueryData(queryKey, answer)
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>
}
