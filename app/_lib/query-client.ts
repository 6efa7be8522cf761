import { QueryClient } from '@tanstack/react-query'
import { readFailure } from './failure'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /**
       * Whether the data is part of something that a person is reading or confirming, such as the effects of
       * a removal. Live updates don't refresh it.
       */
      isAsked?: boolean
    }
  }
}

/** Creates the page's cache of server responses. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: (count, error) =>
          count < 2 && ['unreachable', 'unavailable'].includes(readFailure(error).kind),
      },
      // Mutations fail immediately when offline. By default they would wait for a network and run when no one
      // expects it.
      mutations: { networkMode: 'always' },
    },
  })
}
