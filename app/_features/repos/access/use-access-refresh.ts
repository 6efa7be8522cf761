'use client'
import { useQueryClient } from '@tanstack/react-query'
import type { RepoPath } from '@/app/_lib/paths'

const shown = ['collaborators', 'repository-teams', 'access']

/** Reads again who has access to the repository, and why, after a change. */
export function useAccessRefresh({ owner, repo }: RepoPath): () => Promise<unknown> {
  const queryClient = useQueryClient()
  return () =>
    Promise.all(shown.map(list => queryClient.invalidateQueries({ queryKey: [list, owner, repo] })))
}
