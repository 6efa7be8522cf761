'use client'
import { dehydrate, HydrationBoundary, QueryClient, type QueryKey } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { type Packed, unpack } from './pack'

interface HydrateQueriesProps {
  /** When the server read the data, in milliseconds since 1970; undefined if it came with the document. */
  at: number | undefined
  entries: readonly (readonly [QueryKey, Packed])[]
  children: ReactNode
}

/** Adds data to the page's cache of server responses, unless the cache has later data. */
export function HydrateQueries({ at, entries, children }: HydrateQueriesProps): ReactNode {
  const state = useMemo(() => {
    const client = new QueryClient()
    const updatedAt = at === undefined ? documentTime() : browserTime(at)
    for (const [key, packed] of entries) client.setQueryData(key, unpack(packed), { updatedAt })
    return dehydrate(client)
  }, [at, entries])
  return <HydrationBoundary state={state}>{children}</HydrationBoundary>
}

// When the browser asked for the document, in milliseconds since 1970. What it shows was current then or later.
function documentTime(): number {
  if (typeof window === 'undefined') return Date.now()
  const [navigation] = performance.getEntriesByType('navigation')
  const start = navigation instanceof PerformanceNavigationTiming ? navigation.requestStart : 0
  return Math.round(performance.timeOrigin + start)
}

// By how much the browser's clock is ahead of the server's, and at least as long as the fastest response took.
let ahead = Number.POSITIVE_INFINITY

/** Converts a time of the server's clock to one of the browser's, with which the cache compares it. */
function browserTime(at: number): number {
  if (typeof window === 'undefined') return at
  ahead = Math.min(ahead, Date.now() - at)
  return at + ahead
}
