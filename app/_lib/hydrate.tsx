import { dehydrate, HydrationBoundary, QueryClient, type QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'

interface HydrateProps {
  /** Queries, each with its data. */
  entries: readonly (readonly [{ queryKey: QueryKey }, unknown])[]
  children: ReactNode
}

/** Passes data read by the server to the page's queries, so that the first paint is complete. */
export function Hydrate({ entries, children }: HydrateProps): ReactNode {
  const client = new QueryClient()
  for (const [{ queryKey }, answer] of entries) client.setQueryData(queryKey, answer)
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>
}
