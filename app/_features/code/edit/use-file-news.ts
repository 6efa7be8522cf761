'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { trpc } from '@/app/_lib/trpc'
import { useSelfUpdating } from '@/app/_lib/workarounds/hold-refresh'
import type { EditPage, FileState } from '@/server/code/edit/schema'
import type { EditedRepository } from './edited-repository'

/** What has happened to a file in its branch since the page read it. */
export type FileNews = 'changed' | 'deleted' | 'no branch' | undefined

interface FileNewsState {
  news: FileNews
  refetch: () => void
  /** Takes what is known from another answer. */
  note: (state: FileState) => void
}

/** Notices that others have changed or deleted the file of an open page, whose blob had the ID `known`. */
export function useFileNews(
  { owner, name: repo, full_name }: EditedRepository,
  { branch, path, commit, file }: EditPage,
  known: string | null,
): FileNewsState {
  const queryClient = useQueryClient()
  const queryKey = ['file-state', full_name, branch, path]
  const { data, error, refetch } = useQuery<FileState>({
    queryKey,
    queryFn: () => trpc.code.edit.findState.query({ owner, repo, branch, path }),
    initialData: { commit, id: file?.id ?? null },
    enabled: file !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  useSelfUpdating(error)
  return {
    news: file ? newsIn(data, known) : undefined,
    refetch: () => void refetch(),
    note: state => queryClient.setQueryData(queryKey, state),
  }
}

function newsIn({ commit, id }: FileState, known: string | null): FileNews {
  if (commit === null) return 'no branch'
  if (id === known) return undefined
  return id === null ? 'deleted' : 'changed'
}
