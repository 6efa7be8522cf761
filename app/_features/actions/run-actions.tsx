'use client'
import { SyncIcon, TriangleDownIcon } from '@primer/octicons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ConfirmButton } from '@/app/_components/confirm-button'
import { Menu, MenuAction } from '@/app/_components/menu'
import { Button } from '@/app/_components/primer'
import { readFailure } from '@/app/_lib/failure'
import { counted } from '@/app/_lib/format'
import type { RepoPath } from '@/app/_lib/paths'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import type { ShownJob, ShownRun } from '@/server/actions/pages/schema'
import { outcomeOf } from './progress'

interface RunActionsProps {
  path: RepoPath
  run: ShownRun
  /** Those of the latest attempt. */
  jobs: readonly ShownJob[]
  /** The one that the page is about. */
  job?: ShownJob
  /** Another attempt has begun. */
  onRerun?: () => void
}

/** What can be done with the latest attempt of a run: cancel it, or run jobs again once it has completed. */
export function RunActions({ path, run, jobs, job, onRerun }: RunActionsProps): ReactNode {
  const queryClient = useQueryClient()
  const update = () => queryClient.invalidateQueries({ queryKey: ['run', path.owner, path.repo, run.id] })
  const rerun = useMutation({
    mutationFn: (which: 'all' | 'failed' | number) =>
      trpc.actions.pages.rerun.mutate({ ...path, run: run.id, jobs: which }),
    onSuccess: async () => {
      toast.success(`Attempt ${run.attempt + 1} has begun`)
      await update()
      onRerun?.()
    },
    onError: error => toast.error(readFailure(error).message),
  })

  if (run.status !== 'completed') {
    return (
      <ConfirmButton
        label="Cancel run"
        title="Cancel this run?"
        confirm="Cancel run"
        dismiss="Keep it running"
        stays
        done="The run is being cancelled"
        run={() => trpc.actions.pages.cancel.mutate({ ...path, run: run.id })}
        onDone={update}
      >
        <p>{whatEnds(jobs)}</p>
        <p>
          Steps and jobs with <code>if: always()</code> are still done. Cancel the run again to end them, too.
        </p>
      </ConfirmButton>
    )
  }

  const failed = jobs.filter(one => ['failure', 'cancelled'].includes(outcomeOf(one)))
  const isOneOf = job !== undefined && jobs.some(({ id }) => id === job.id)
  return (
    <Menu
      label="Re-run jobs"
      button={props => (
        <Button
          {...props}
          leadingVisual={SyncIcon}
          trailingVisual={TriangleDownIcon}
          loading={rerun.isPending}
        >
          Re-run jobs
        </Button>
      )}
    >
      {isOneOf ? (
        <MenuAction visual={SyncIcon} onSelect={() => rerun.mutate(job.id)}>
          Re-run this job{jobs.some(({ needs }) => needs.includes(job.key)) ? ' and those that need it' : ''}
        </MenuAction>
      ) : null}
      {failed.length > 0 ? (
        <MenuAction visual={SyncIcon} onSelect={() => rerun.mutate('failed')}>
          Re-run {counted(failed.length, 'failed job', 'failed jobs')}
        </MenuAction>
      ) : null}
      <MenuAction visual={SyncIcon} onSelect={() => rerun.mutate('all')}>
        Re-run all jobs
      </MenuAction>
    </Menu>
  )
}

function whatEnds(jobs: readonly ShownJob[]): string {
  const running = jobs.filter(({ status }) => status === 'in_progress').length
  const waiting = jobs.filter(({ status }) => status === 'queued' || status === 'waiting').length
  const parts = [
    running > 0 ? `${counted(running, 'running job is', 'running jobs are')} asked to stop` : '',
    waiting > 0 ? `${counted(waiting, 'waiting job', 'waiting jobs')} will not start` : '',
  ]
  return `${parts.filter(Boolean).join(', and ')}.`
}
