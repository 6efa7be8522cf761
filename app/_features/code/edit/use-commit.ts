'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useMemo } from 'react'
import { type Failure, readFailure } from '@/app/_lib/failure'
import { codePath, comparePath, type RepoPath } from '@/app/_lib/paths'
import { branchesKey } from '@/app/_lib/queries/refs'
import { toast } from '@/app/_lib/toast'
import { isolated } from '@/app/_lib/visible-text'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import { stopAsking } from '@/app/_lib/workarounds/use-unsaved-warning'
import type { WantedCommit } from './commit-form'

interface CommitPlan {
  repository: RepoPath
  branch: string
  send: (wanted: WantedCommit) => Promise<unknown>
  /** What has been done afterward, such as "Deleted a.txt". */
  done: string
  /** Path of the file or directory that is shown afterward. */
  shown: string
}

interface Commit {
  commit: (wanted: WantedCommit) => void
  isPending: boolean
  failure: Failure | undefined
}

/** Commits, says what has been done, and shows a page of the branch that was changed. */
export function useCommit({ repository, branch, send, done, shown }: CommitPlan): Commit {
  const router = useRouter()
  const queryClient = useQueryClient()
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: send,
    onSuccess: async (_, { new_branch: name }) => {
      const full = { full_name: `${repository.owner}/${repository.repo}` }
      stopAsking()
      router.push(codePath(full, 'src', { kind: 'branch', name: name ?? branch }, shown))
      refreshPage()
      if (name === undefined) toast.success(done)
      else {
        toast.success(`${done} on the new branch ${isolated(name)}`, {
          action: { label: 'Compare', href: comparePath(full, branch, name) },
        })
      }
      await queryClient.invalidateQueries({ queryKey: branchesKey(repository) })
    },
  })
  const failure = useMemo(() => (error ? readFailure(error) : undefined), [error])
  return {
    commit: wanted => mutate(wanted),
    // Until the next page is shown.
    isPending: isPending || isSuccess,
    failure,
  }
}
