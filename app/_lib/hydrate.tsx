import type { QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { HydrateQueries } from './hydrate-queries'
import { pack } from './pack'

interface HydrateProps {
  /** Queries, each with its data. */
  entries: readonly (readonly [{ queryKey: QueryKey }, unknown])[]
  children: ReactNode
}

/** Passes data read by the server to the page's queries, so that the first paint is complete. */
export function Hydrate({ entries, children }: HydrateProps): ReactNode {
  return (
    <HydrateQueries
      at={Date.now()}
      entries={entries.map(([{ queryKey }, answer]) => [queryKey, pack(answer)])}
    >
      {children}
    </HydrateQueries>
  )
}
