import { QueryClient } from '@tanstack/react-query'
import { readFailure } from './failure'

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: (count, error) =>
          count < 2 && ['unreachable', 'unavailable'].includes(readFailure(error).kind),
      },
    },
  })
}
