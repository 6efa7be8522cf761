import { queryOptions } from '@tanstack/react-query'
import { trpc } from '@/app/_lib/trpc'
import type { ScopeName } from '@/server/scopes/schema'

export const permissionsKey = (scope: ScopeName) => ['job-tokens', scope] as const

export const permissionsQuery = (scope: ScopeName) =>
  queryOptions({
    queryKey: permissionsKey(scope),
    queryFn: () => trpc.actions.permissions.show.query({ scope }),
  })
