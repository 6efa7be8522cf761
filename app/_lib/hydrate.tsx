import type { QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { HydrateQueries } from './hydrate-queries'
import { pack } from './pack'
import { isDocument } from './server'

interface HydrateProps {
  /** Queries, each with its data. */
  entries: readonly (readonly [{ queryKey: QueryKey }, unknown])[]
  children: ReactNode
}

/** Passes data read by the server to the page's queries, so that the first paint is complete. */
export function Hydrate({ entries, children }: HydrateProps): ReactNode {
  return (
    <HydrateQueries
      // A document can be sent again later, if it would be rendered the same. It was read when it was asked for.
      at={isDocument() ? undefined : Date.now()}
      entries={entries.map(([{ queryKey }, answer]) => [queryKey, pack(answer)])}
    >
      {children}
    </HydrateQueries>
  )
}
