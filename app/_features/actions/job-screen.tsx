'use client'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type ReactNode, useCallback } from 'react'
import { CopyButton } from '@/app/_components/copy-button'
import { Fact, FactList } from '@/app/_components/fact-list'
import { LabelList } from '@/app/_components/label-list'
import { TextLink } from '@/app/_components/links'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Trail } from '@/app/_components/page-heading'
import { RelativeDate } from '@/app/_components/relative-date'
import { isLoss } from '@/app/_features/scopes/is-loss'
import { jobLogPath, jobPath, repositoryPath, runPath } from '@/app/_lib/paths'
import { trpc } from '@/app/_lib/trpc'
import { useLive } from '@/app/_lib/use-live'
import { isolated, visibleLine } from '@/app/_lib/visible-text'
import { useSelfUpdating } from '@/app/_lib/workarounds/hold-refresh'
import type { JobPageAnswer, ShownJob } from '@/server/actions/runs/schema'
import type { Topic } from '@/server/live/schema'
import actionStyles from './actions.module.css'
import { JobNav } from './job-nav'
import styles from './job-screen.module.css'
import { Elapsed } from './log/elapsed'
import { LogViewer } from './log/log-viewer'
import { LostRun } from './lost-run'
import { OutcomeSign } from './outcome-sign'
import { callText, outcomeLabels, outcomeOf, reasonOf } from './progress'
import { fallbackInterval, jobQuery } from './queries'
import { RunActions } from './run-actions'
import type { ActionsRepository } from './runs-screen'
import { tokenText } from './token-text'
import { WaitingPanel } from './waiting-panel'

interface JobScreenProps {
  repository: ActionsRepository
  run: number
  job: number
  /** Whether live updates are on. Only signed-in people receive them. */
  isFollowed: boolean
}

/** Page of a run's job with its steps and log. */
export function JobScreen({ repository, run, job: id, isFollowed }: JobScreenProps): ReactNode {
  const path = { owner: repository.owner.login, repo: repository.name }
  const queryClient = useQueryClient()
  const router = useRouter()
  useLive(
    isFollowed ? [{ topic: 'runs', id: repository.id }] : [],
    () => void queryClient.invalidateQueries({ queryKey: ['run', path.owner, path.repo, run] }),
  )
  const { data, error } = useQuery({
    ...jobQuery(path, run, id),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => fallbackInterval(isFollowed, state.data?.job),
  })
  useSelfUpdating(error)
  if (isLoss(error)) return <LostRun repository={repository} what="job" />
  if (!data) return <ListSkeleton />
  const { job, jobs } = data
  const isLatest = data.newer_job === null
  return (
    <>
      <Trail
        steps={[
          { href: repositoryPath(repository, 'actions'), label: 'Actions' },
          {
            href: runPath(repository, run),
            label: `${isolated(data.run.workflow_name)} #${data.run.number}`,
          },
          { href: jobPath(repository, run, job.id), label: visibleLine(job.name) },
        ]}
      />
      <div className={styles.columns} data-many={jobs.length > 1 || undefined}>
        {jobs.length > 1 ? <JobNav repository={repository} run={run} jobs={jobs} current={job.id} /> : null}
        <div className={styles.main}>
          <header className={actionStyles.head}>
            <span className={actionStyles.sign}>
              <OutcomeSign outcome={outcomeOf(job)} size={24} />
            </span>
            <h2 className={actionStyles.title}>
              <bdi>{visibleLine(job.name)}</bdi>
            </h2>
            {data.may_write && isLatest ? (
              <RunActions
                path={path}
                run={data.run}
                jobs={jobs}
                job={job}
                onRerun={() => router.push(runPath(repository, run))}
              />
            ) : null}
          </header>
          {data.newer_job === null ? null : (
            <p className={actionStyles.earlier}>
              This job is from attempt {job.attempt}. There’s a newer attempt.{' '}
              <TextLink href={jobPath(repository, run, data.newer_job)} inline>
                Show the latest
              </TextLink>
            </p>
          )}
          <JobFacts found={data} />
          <JobLog key={job.id} repository={repository} found={data} isFollowed={isFollowed} />
        </div>
      </div>
    </>
  )
}

function JobFacts({ found: { job, task, token } }: { found: JobPageAnswer }): ReactNode {
  const isCanceling = task?.status === 'cancelling'
  return (
    <FactList>
      <Fact term="Status">
        <strong>{isCanceling ? 'Canceling' : outcomeLabels[outcomeOf(job)]}</strong>
        <Elapsed started_at={job.started_at} completed_at={job.completed_at} />
        {task && job.end_text ? <span>{visibleLine(job.end_text)}</span> : null}
      </Fact>
      {task?.runner_name ? <Fact term="Runner">{visibleLine(task.runner_name)}</Fact> : null}
      {job.labels.length > 0 ? (
        <Fact term="Runs on">
          <LabelList labels={job.labels} />
          {job.has_unknown_labels ? <span>Not known until the jobs that it needs have completed</span> : null}
        </Fact>
      ) : null}
      {job.runner_group === null ? null : <Fact term="Runner group">{visibleLine(job.runner_group)}</Fact>}
      {job.concurrency === null ? null : <Fact term="Concurrency group">{visibleLine(job.concurrency)}</Fact>}
      {job.started_at ? (
        <Fact term="Started">
          <RelativeDate value={job.started_at} />
        </Fact>
      ) : null}
      <Fact term="Job ID">
        <code>{job.id}</code>
        <CopyButton text={String(job.id)} what="job ID" />
      </Fact>
      {job.uses === null ? null : (
        <Fact term="Calls" wide>
          <code>{visibleLine(job.uses)}</code>
        </Fact>
      )}
      {token ? (
        <Fact term="Token" wide>
          {tokenText(token)}
        </Fact>
      ) : null}
    </FactList>
  )
}

interface JobLogProps {
  repository: ActionsRepository
  found: JobPageAnswer
  isFollowed: boolean
}

function JobLog({ repository, found: { run, job, jobs, task }, isFollowed }: JobLogProps): ReactNode {
  const { owner, name: repo } = repository
  const { login } = owner
  const fetchPart = useCallback(
    async (from: number, limit: number) => {
      const asked = { owner: login, repo, job_id: job.id, from, limit }
      const { rows, total, is_complete } = await trpc.actions.runs.logRows.query(asked)
      return { rows, total, isComplete: is_complete }
    },
    [login, repo, job.id],
  )
  // A job without any other reason waits because its run waits for a concurrency group.
  const isHeld = job.hold !== null || (job.called === null && reasonOf(job, jobs) === outcomeLabels.waiting)
  if (!task && (job.status === 'queued' || (job.status === 'waiting' && isHeld))) {
    return (
      <WaitingPanel
        path={{ owner: login, repo }}
        mayManage={repository.permissions.admin}
        run={run.id}
        job={job}
      >
        {notRunText(job, jobs)}
      </WaitingPanel>
    )
  }
  if (!task) return <p className={styles.none}>{notRunText(job, jobs)}</p>
  if (task.log_rows === 0 && task.runner_name === '') {
    return <p className={styles.none}>This job runs through the API, so it has no log.</p>
  }
  const topics: Topic[] = isFollowed ? [{ topic: 'run', id: run.id, repository: repository.id }] : []
  return (
    <LogViewer
      job={job}
      task={task}
      topics={topics}
      downloadHref={jobLogPath(repository, job.id)}
      fetchPart={fetchPart}
    />
  )
}

function notRunText(job: ShownJob, jobs: readonly ShownJob[]): string {
  if (job.status === 'completed' && job.end_text) return visibleLine(job.end_text)
  const reason = callText(job, jobs) ?? reasonOf(job, jobs)
  if (reason) return `${reason}.`
  return job.status === 'completed' ? 'This job wasn’t started.' : `${outcomeLabels[outcomeOf(job)]}.`
}
