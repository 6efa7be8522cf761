import { QueryClient } from '@tanstack/react-query'
import { readFailure } from './failure'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** Answers what somebody is asking or is asked, such as what a removal ends: live updates leave it as it is read. */
      isAsked?: boolean
    }
  }
}

/** What a page keeps of the answers of the server. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: (count, error) =>
          count < 2 && ['unreachable', 'unavailable'].includes(readFailure(error).kind),
      },
      // Without a network it fails at once. By default it would wait for one, and act when nobody expects it anymore.
      mutations: { networkMode: 'always' },
    },
  })
}
