import { queryOptions } from '@tanstack/react-query'
import { trpc } from '@/app/_lib/trpc'
import type { ScopeName } from '@/server/scopes/schema'

export type VariableKind = 'secret' | 'variable'

/** Whose secrets or variables a page is about. */
export interface VariableListName {
  scope: ScopeName
  kind: VariableKind
}

/** Begins the names of all that is read of them. */
export const variablesKey = ({ scope, kind }: VariableListName) => ['variables', kind, scope] as const

export const variablesQuery = (list: VariableListName, page: number) =>
  queryOptions({
    queryKey: [...variablesKey(list), page],
    queryFn: () => trpc.secrets.browse.query({ ...list, page }),
  })
