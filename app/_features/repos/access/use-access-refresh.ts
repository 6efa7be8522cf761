'use client'
import { useQueryClient } from '@tanstack/react-query'
import type { RepoPath } from '@/app/_lib/paths'
import { keys } from '@/app/_lib/queries'

/** Reads again who has access to the repository, and why, after a change. */
export function useAccessRefresh(path: RepoPath): () => Promise<unknown> {
  const queryClient = useQueryClient()
  const { collaborators, teams, access } = keys.repository
  return () =>
    Promise.all(
      [collaborators, teams, access].map(key => queryClient.invalidateQueries({ queryKey: key(path) })),
    )
}
