'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ConfirmButton } from '@/app/_components/confirm-button'
import { SyncIcon, TriangleDownIcon } from '@/app/_components/icons'
import { Menu, MenuAction } from '@/app/_components/menu'
import { Button } from '@/app/_components/primer'
import { readFailure } from '@/app/_lib/failure'
import { counted } from '@/app/_lib/format'
import type { RepoPath } from '@/app/_lib/paths'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import type { ShownJob, ShownRun } from '@/server/actions/runs/schema'
import { outcomeOf } from './progress'

interface RunActionsProps {
  path: RepoPath
  run: ShownRun
  /** Jobs of the latest attempt. */
  jobs: readonly ShownJob[]
  /** The job that the page is about, if any. */
  job?: ShownJob
  /** Called when another attempt has started. */
  onRerun?: () => void
}

/** Buttons for the latest attempt of a run: cancel it, or re-run jobs once it has completed. */
export function RunActions(props: RunActionsProps): ReactNode {
  const { path, run } = props
  const queryClient = useQueryClient()
  const update = () => queryClient.invalidateQueries({ queryKey: ['run', path.owner, path.repo, run.id] })
  // An open dialog remains when the run completes.
  const [isAsking, setAsking] = useState(false)
  const mayCancel = run.status !== 'completed' || isAsking
  // Both are in one element, so that the focus moves from one to the other.
  return (
    <span>
      {mayCancel ? (
        <CancelButton {...props} update={update} onAsking={setAsking} />
      ) : (
        <RerunMenu {...props} update={update} />
      )}
    </span>
  )
}

interface ActionProps extends RunActionsProps {
  update: () => Promise<void>
}

interface CancelButtonProps extends ActionProps {
  onAsking: (isAsking: boolean) => void
}

function CancelButton({ path, run, jobs, update, onAsking }: CancelButtonProps): ReactNode {
  return (
    <ConfirmButton
      label="Cancel run"
      title="Cancel this run?"
      confirm="Cancel run"
      dismiss="Keep it running"
      done="Canceling the run"
      run={() => trpc.actions.cancel.mutate({ ...path, run: run.id })}
      onAsking={onAsking}
      onDone={update}
    >
      {run.status === 'completed' ? (
        <p>The run has completed.</p>
      ) : (
        <>
          <p>{whatEnds(jobs)}</p>
          <p>
            Steps and jobs with <code>if: always()</code> will still run. Cancel again to stop them, too.
          </p>
        </>
      )}
    </ConfirmButton>
  )
}

function RerunMenu({ path, run, jobs, job, onRerun, update }: ActionProps): ReactNode {
  const rerun = useMutation({
    mutationFn: (which: 'all' | 'failed' | number) =>
      trpc.actions.runs.rerun.mutate({ ...path, run: run.id, jobs: which }),
    onSuccess: async ({ attempt }) => {
      toast.success(`Started attempt ${attempt}`)
      await update()
      onRerun?.()
    },
    onError: error => toast.error(readFailure(error).message),
  })
  const hasFailed = jobs.some(one => ['failure', 'cancelled'].includes(outcomeOf(one)))
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
          Re-run this job{jobs.some(({ needs }) => needs.includes(job.key)) ? ' and jobs that need it' : ''}
        </MenuAction>
      ) : null}
      {hasFailed ? (
        <MenuAction visual={SyncIcon} onSelect={() => rerun.mutate('failed')}>
          Re-run failed and canceled jobs
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
    ...(running > 0 ? [`${counted(running, 'running job', 'running jobs')} will be asked to stop`] : []),
    ...(waiting > 0 ? [`${counted(waiting, 'waiting job', 'waiting jobs')} won’t start`] : []),
  ]
  return parts.length > 0 ? `${parts.join(', and ')}.` : 'All jobs are done.'
}
