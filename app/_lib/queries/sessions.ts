import { queryOptions } from '@tanstack/react-query'
import { defineList, type ListChoice } from '../list-choice'
import { trpc } from '../trpc'

export const sessionList = defineList({
  sorts: [
    { value: 'active', label: 'Last active' },
    { value: 'newest', label: 'Newest' },
  ],
  filters: {},
})

export const sessionsKey = ['sessions'] as const

export const sessionsQuery = (choice: ListChoice<typeof sessionList>) =>
  queryOptions({
    queryKey: [...sessionsKey, choice],
    queryFn: () => trpc.sessions.browse.query(choice),
  })
