import { queryOptions } from '@tanstack/react-query'
import { trpc } from '../trpc'

export const sessionsKey = ['sessions'] as const

export const sessionsQuery = () =>
  queryOptions({ queryKey: sessionsKey, queryFn: () => trpc.sessions.list.query() })
