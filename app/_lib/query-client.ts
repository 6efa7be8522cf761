import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { readFailure } from './failure'
import { signInAgain } from './sign-in-again'

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: signInAgain }),
    mutationCache: new MutationCache({ onError: signInAgain }),
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: (count, error) => count < 2 && readFailure(error).kind === 'unreachable',
      },
    },
  })
}
