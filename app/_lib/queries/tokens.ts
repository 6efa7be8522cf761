import { queryOptions } from '@tanstack/react-query'
import type { ListChoice } from '../list-choice'
import type { tokenList } from '../lists'
import { trpc } from '../trpc'

export const tokensKey = (username: string) => ['tokens', username] as const

export const tokensQuery = (username: string, choice: ListChoice<typeof tokenList>) =>
  queryOptions({
    queryKey: [...tokensKey(username), choice],
    queryFn: () => trpc.tokens.browse.query({ username, ...choice }),
  })
