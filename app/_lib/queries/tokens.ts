import { queryOptions } from '@tanstack/react-query'
import { defineList, type ListChoice } from '../list-choice'
import { trpc } from '../trpc'

export const tokenList = defineList({
  sorts: [
    { value: 'newest', label: 'Newest' },
    { value: 'name', label: 'Name' },
    { value: 'used', label: 'Last used' },
    { value: 'expires', label: 'Expires first' },
  ],
  filters: {},
})

export const tokensKey = (username: string) => ['tokens', username] as const

export const tokensQuery = (username: string, choice: ListChoice<typeof tokenList>) =>
  queryOptions({
    queryKey: [...tokensKey(username), choice],
    queryFn: () => trpc.tokens.browse.query({ username, ...choice }),
  })
