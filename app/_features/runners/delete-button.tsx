'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { AskButton, LazyConfirmDialog } from '@/app/_components/confirm-button'
import { readFailure } from '@/app/_lib/failure'
import { counted } from '@/app/_lib/format'
import { trpc } from '@/app/_lib/trpc'
import { isolated } from '@/app/_lib/visible-text'
import type { BrowsedRunner, RemovalPreview } from '@/server/runners/manage/schema'
import { type RunnerName, removalQuery, runnersKey, runnersPath } from './queries'

interface DeleteButtonProps {
  name: RunnerName
  runner: BrowsedRunner
}

/** Deletes a runner after showing how that affects jobs. */
export function DeleteButton({ name, runner }: DeleteButtonProps): ReactNode {
  const router = useRouter()
  const queryClient = useQueryClient()
  return (
    <AskButton
      label="Delete runner"
      done={`Deleted ${isolated(runner.name)}`}
      onDone={async () => {
        router.push(runnersPath(name.scope))
        await queryClient.invalidateQueries({ queryKey: [...runnersKey(name.scope), 'list'] })
      }}
      dialog={asked => <DeleteDialog {...asked} name={name} runner={runner} />}
    />
  )
}

interface DeleteDialogProps extends DeleteButtonProps {
  finish: () => Promise<void>
  close: () => void
}

function DeleteDialog({ name, runner, finish, close }: DeleteDialogProps): ReactNode {
  const preview = useQuery(removalQuery(name))
  const removing = useMutation({
    mutationFn: () => trpc.runners.manage.remove.mutate(name),
    onSuccess: finish,
  })
  const failed = removing.error ?? preview.error
  return (
    <LazyConfirmDialog
      title={`Delete the runner ${isolated(runner.name)}?`}
      confirm="Delete runner"
      ready={preview.data !== undefined}
      pending={removing.isPending}
      failure={failed ? readFailure(failed).message : undefined}
      onConfirm={() => removing.mutate()}
      onClose={close}
    >
      {preview.data ? <Effects preview={preview.data} /> : <p>Checking for affected jobs…</p>}
      <p>
        The runner process will stop the next time it connects. To use the runner again, register it again.
      </p>
    </LazyConfirmDialog>
  )
}

function Effects({ preview: { running, stranded } }: { preview: RemovalPreview }): ReactNode {
  return (
    <ul>
      <li>
        {running === 0
          ? 'It isn’t running any jobs.'
          : `${counted(running, 'running job', 'running jobs')} will fail.`}
      </li>
      <li>
        {stranded === 0
          ? 'No waiting jobs depend on it.'
          : `${counted(stranded, 'waiting job will lose its', 'waiting jobs will lose their')} only runner.`}
      </li>
    </ul>
  )
}
