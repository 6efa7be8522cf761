import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { readFailure } from './failure'

/** Somebody whose session ended while a page was open signs in again and comes back to it. */
function signInAgain(error: unknown): void {
  if (readFailure(error).kind !== 'unauthenticated') return
  const { pathname, search } = window.location
  if (pathname === '/sign-in') return
  window.location.assign(`/sign-in?next=${encodeURIComponent(pathname + search)}`)
}

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
