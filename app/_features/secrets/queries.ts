import { queryOptions } from '@tanstack/react-query'
import { trpc } from '@/app/_lib/trpc'
import type { ScopeName } from '@/server/scopes/schema'

export type VariableKind = 'secret' | 'variable'

/** Scope and kind of a list of secrets or variables. */
export interface VariableListName {
  scope: ScopeName
  kind: VariableKind
}

/** Prefix of the query keys of a scope's secrets or variables. */
export const variablesKey = ({ scope, kind }: VariableListName) => ['variables', kind, scope] as const

export const variablesQuery = (list: VariableListName, page: number) =>
  queryOptions({
    queryKey: [...variablesKey(list), page],
    queryFn: () => trpc.secrets.browse.query({ ...list, page }),
  })
