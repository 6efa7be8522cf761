import { useQuery } from '@tanstack/react-query'
import type { RepoPath } from '@/app/_lib/paths'
import { statesQuery } from '@/app/_lib/queries/refs'
import type { ListRows } from '@/app/_lib/use-list-rows'
import type { CommitStates } from '@/server/statuses/schema'

/** Returns the states of the checks of the commits in a list. */
export function useStates(path: RepoPath, { found }: ListRows<{ sha: string }>): CommitStates {
  const shas = found?.items.map(({ sha }) => sha) ?? []
  return useQuery(statesQuery(path, shas)).data ?? {}
}
