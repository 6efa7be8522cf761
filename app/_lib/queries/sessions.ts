import { queryOptions } from '@tanstack/react-query'
import type { ListChoice } from '../list-choice'
import type { sessionList } from '../lists'
import { trpc } from '../trpc'

export const sessionsKey = ['sessions'] as const

export const sessionsQuery = (choice: ListChoice<typeof sessionList>) =>
  queryOptions({
    queryKey: [...sessionsKey, choice],
    queryFn: () => trpc.sessions.browse.query(choice),
  })
