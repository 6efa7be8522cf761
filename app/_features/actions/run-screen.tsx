'use client'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Banner } from '@/app/_components/banner'
import { CommitId } from '@/app/_components/commit-id'
import { CopyButton } from '@/app/_components/copy-button'
import { Fact, FactList } from '@/app/_components/fact-list'
import { QuietLink, TextLink } from '@/app/_components/links'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Trail } from '@/app/_components/page-heading'
import { QuerySelect } from '@/app/_components/query-controls'
import { RelativeDate } from '@/app/_components/relative-date'
import { UserAvatar } from '@/app/_components/user-avatar'
import { ArtifactList } from '@/app/_features/artifacts/artifact-list'
import { isLoss } from '@/app/_features/scopes/is-loss'
import { repositoryPath, runPath } from '@/app/_lib/paths'
import { useLive } from '@/app/_lib/use-live'
import { isolated, visibleLine } from '@/app/_lib/visible-text'
import { useSelfUpdating } from '@/app/_lib/workarounds/hold-refresh'
import type { RunPageAnswer, ShownAttempt, ShownRun } from '@/server/actions/runs/schema'
import styles from './actions.module.css'
import { ConcurrencyGroup, LostConcurrencyGroup } from './concurrency-group'
import { DeleteRun } from './delete-run'
import { JobList } from './job-list'
import { LostRun } from './lost-run'
import { Mistakes } from './mistakes'
import { OutcomeSign } from './outcome-sign'
import { durationOf, outcomeLabels, outcomeOf } from './progress'
import { fallbackInterval, runQuery } from './queries'
import { RefName } from './ref-name'
import { RunActions } from './run-actions'
import type { ActionsRepository } from './runs-screen'
import { WorkflowFile } from './workflow-file'

interface RunScreenProps {
  repository: ActionsRepository
  run: number
  /** Number of the attempt. Undefined for the latest one. */
  attempt: number | undefined
  /** Page and search text of the artifact list, as in the page's URL. */
  artifacts: { page: number; q: string }
  /** Whether live updates are on. Only signed-in people receive them. */
  isFollowed: boolean
}

/** Page of a run with the jobs and artifacts of one attempt. */
export function RunScreen({ repository, run, attempt, artifacts, isFollowed }: RunScreenProps): ReactNode {
  const path = { owner: repository.owner.login, repo: repository.name }
  const queryClient = useQueryClient()
  useLive(isFollowed ? [{ topic: 'runs', id: repository.id }] : [], () => {
    for (const kind of ['run', 'artifacts'])
      void queryClient.invalidateQueries({ queryKey: [kind, path.owner, path.repo, run] })
  })
  const { data, error } = useQuery({
    ...runQuery(path, run, attempt),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => fallbackInterval(isFollowed, state.data?.run),
  })
  useSelfUpdating(error)
  if (isLoss(error)) return <LostRun repository={repository} what="run" />
  if (!data) return <ListSkeleton />
  const { number, title } = data.run
  const steps = [
    { href: repositoryPath(repository, 'actions'), label: 'Actions' },
    { href: runPath(repository, run), label: `${isolated(data.run.workflow_name)} #${number}` },
  ]
  return (
    <>
      <Trail steps={steps} />
      <header className={styles.head}>
        <span className={styles.sign}>
          <OutcomeSign outcome={outcomeOf(data.attempt)} size={24} />
        </span>
        <h2 className={styles.title}>
          <bdi>{visibleLine(title)}</bdi> <span className={styles.number}>#{number}</span>
        </h2>
        {data.attempts.length > 1 ? (
          <QuerySelect
            label="Attempt"
            isLabelHidden
            name="attempt"
            value={String(data.attempt.number)}
            choices={data.attempts.map(attemptChoice)}
          />
        ) : null}
        {data.may_write && data.jobs.length > 0 && data.attempt.number === data.run.attempt ? (
          <RunActions path={path} run={data.run} jobs={data.jobs} />
        ) : null}
        {data.may_write && data.run.status === 'completed' ? (
          <DeleteRun repository={repository} run={data.run} />
        ) : null}
      </header>
      <RunFacts repository={repository} found={data} />
      <RunDetails repository={repository} run={data.run} />
      {data.attempt.number < data.run.attempt ? (
        <p className={styles.earlier}>
          This is attempt {data.attempt.number}. There’s a newer attempt.{' '}
          <TextLink href={runPath(repository, run)} inline>
            Show the latest attempt
          </TextLink>
        </p>
      ) : null}
      {data.run.warnings.length > 0 ? (
        <Banner
          variant="warning"
          title="Parts of the workflow have no effect"
          description={<Mistakes mistakes={data.run.warnings} />}
          className={styles.warnings}
        />
      ) : null}
      {data.run.error ? (
        <section className={styles.invalid} aria-labelledby="invalid">
          <h3 id="invalid">The workflow is invalid</h3>
          <pre dir="auto">{data.run.error}</pre>
        </section>
      ) : (
        <JobList repository={repository} run={run} jobs={data.jobs} attempt={data.attempt.number} />
      )}
      <ArtifactList
        repository={repository}
        run={run}
        attempt={data.attempt.number}
        isCompleted={data.attempt.status === 'completed'}
        {...artifacts}
      />
    </>
  )
}

const isScheduled = ({ run, attempt }: RunPageAnswer): boolean =>
  run.event === 'schedule' && attempt.number === 1

const attemptChoice = ({ number }: ShownAttempt, index: number) => ({
  value: String(number),
  label: index === 0 ? `Attempt ${number} (latest)` : `Attempt ${number}`,
})

function RunFacts({ repository, found }: { repository: ActionsRepository; found: RunPageAnswer }): ReactNode {
  const { run, attempt } = found
  const duration = durationOf(attempt)
  return (
    <FactList>
      <Fact term="Status">
        <strong>{outcomeLabels[outcomeOf(attempt)]}</strong>
        {duration ? <span>in {duration}</span> : null}
        {attempt.status === 'in_progress' && attempt.started_at ? (
          <span>
            started <RelativeDate value={attempt.started_at} />
          </span>
        ) : null}
      </Fact>
      <Fact term={attempt.number > 1 ? 'Re-run' : 'Triggered'}>
        {attempt.actor ? (
          <>
            <UserAvatar id={attempt.actor.id} size={20} />
            <QuietLink href={`/${attempt.actor.login}`}>{attempt.actor.login}</QuietLink>
          </>
        ) : (
          <span>{isScheduled(found) ? 'Scheduled' : 'Deleted account'}</span>
        )}
        <RelativeDate value={attempt.created_at} />
      </Fact>
      <Fact term="Event">
        {run.event}
        {found.followed ? (
          <span>
            of{' '}
            <QuietLink href={runPath(repository, found.followed.id)} inline>
              {isolated(found.followed.workflow_name)} #{found.followed.number}
            </QuietLink>
          </span>
        ) : null}
      </Fact>
      {run.ref ? (
        <Fact term={run.ref.startsWith('refs/tags/') ? 'Tag' : 'Branch'}>
          <RefName repository={repository} name={run.ref} />
        </Fact>
      ) : null}
      {run.sha ? (
        <Fact term="Commit">
          <CommitId repository={repository} sha={run.sha} copy />
        </Fact>
      ) : null}
      {found.groups.map(group => (
        <Fact key={group.name} term="Concurrency group" wide>
          <ConcurrencyGroup repository={repository} run={run.id} group={group} />
        </Fact>
      ))}
      {found.lost_group ? (
        <Fact term="Concurrency group" wide>
          <LostConcurrencyGroup repository={repository} lost={found.lost_group} />
        </Fact>
      ) : null}
    </FactList>
  )
}

/** Collapsed details that are mainly useful to API clients: the run's ID and workflow file. */
function RunDetails({ repository, run }: { repository: ActionsRepository; run: ShownRun }): ReactNode {
  return (
    <details className={styles.details}>
      <summary>Details</summary>
      <FactList>
        <Fact term="Run ID">
          <code>{run.id}</code>
          <CopyButton text={String(run.id)} what="run ID" />
        </Fact>
        <WorkflowFile repository={repository} run={run} />
      </FactList>
    </details>
  )
}
