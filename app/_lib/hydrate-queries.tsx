'use client'
import { dehydrate, HydrationBoundary, QueryClient, type QueryKey } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { type Packed, unpack } from './pack'

interface HydrateQueriesProps {
  /** When the server read the data, in milliseconds since 1970. */
  at: number
  entries: readonly (readonly [QueryKey, Packed])[]
  children: ReactNode
}

/** Adds data to the page's cache of server responses, unless the cache has later data. */
export function HydrateQueries({ at, entries, children }: HydrateQueriesProps): ReactNode {
  const state = useMemo(() => {
    const client = new QueryClient()
    for (const [key, packed] of entries) client.setQueryData(key, unpack(packed), { updatedAt: at })
    return dehydrate(client)
  }, [at, entries])
  return <HydrationBoundary state={state}>{children}</HydrationBoundary>
}
