'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { ConfirmButton } from '@/app/_components/confirm-button'
import { repositoryPath } from '@/app/_lib/paths'
import { trpc } from '@/app/_lib/trpc'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import type { ShownRun } from '@/server/actions/runs/schema'
import type { ActionsRepository } from './runs-screen'

interface DeleteRunProps {
  repository: ActionsRepository
  run: ShownRun
}

/** Button that deletes a completed run after a confirmation. */
export function DeleteRun({ repository, run }: DeleteRunProps): ReactNode {
  const router = useRouter()
  const queryClient = useQueryClient()
  const path = { owner: repository.owner.login, repo: repository.name, run: run.id }
  return (
    <ConfirmButton
      label="Delete run"
      title={`Delete run #${run.number}?`}
      confirm="Delete run"
      done={`Deleted run #${run.number}`}
      run={() => trpc.actions.remove.mutate(path)}
      onDone={() => {
        // Removes the cached list, so that it is read again instead of showing the deleted run.
        queryClient.removeQueries({ queryKey: ['runs', path.owner, path.repo] })
        router.push(repositoryPath(repository, 'actions'))
        // The count in the tabs changes, too.
        refreshPage()
      }}
    >
      <p>This also deletes the jobs, logs, and artifacts from all attempts.</p>
    </ConfirmButton>
  )
}
