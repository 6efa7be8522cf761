import { queryOptions } from '@tanstack/react-query'
import { trpc } from '@/app/_lib/trpc'
import type { PlaceName } from '@/server/places/schema'

export type VariableKind = 'secret' | 'variable'

/** Whose secrets or variables a page is about. */
export interface VariablesOf {
  place: PlaceName
  kind: VariableKind
}

/** Begins the names of all that is read of them. */
export const variablesKey = ({ place, kind }: VariablesOf) => ['variables', kind, place] as const

export const variablesQuery = (of: VariablesOf, page: number) =>
  queryOptions({
    queryKey: [...variablesKey(of), page],
    queryFn: () => trpc.secrets.browse.query({ ...of, page }),
  })
