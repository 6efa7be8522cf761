import { queryOptions } from '@tanstack/react-query'
import { trpc } from '../trpc'

export const tokensKey = (username: string) => ['tokens', username] as const

export const tokensQuery = (username: string, page: number) =>
  queryOptions({
    queryKey: [...tokensKey(username), page],
    queryFn: () => trpc.tokens.listExpiring.query({ username, page }),
  })
