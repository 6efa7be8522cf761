import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { announce, type NewEvent, originOf, recordEvents } from '@/server/events'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { type ReportedJob, reportJobs } from './job-statuses'
import { type JobRow, selectRunnerScopes } from './job-store'
import type { RunRow } from './store'

type RepositoryRef = { id: number; owner_id: number }

/** Returns the owner, the repository and the facts that all events of a run share. */
export function aboutRun(
  { id: repositoryId, owner_id: ownerId }: RepositoryRef,
  { id: runId, number, attempt, event }: RunRow,
): Pick<NewEvent<'run.created'>, 'ownerId' | 'repositoryId' | 'facts'> {
  return { ownerId, repositoryId, facts: { repositoryId, runId, number, attempt, event } }
}

/** Records an event if the run's latest attempt has just started or completed. */
export async function recordProgress(
  trx: Transaction<Database>,
  ctx: ServiceCtx,
  repository: RepositoryRef,
  { before, after }: { before: Pick<RunRow, 'started_at' | 'conclusion'>; after: RunRow },
): Promise<void> {
  const { facts, ...owner } = aboutRun(repository, after)
  const { conclusion } = after
  const events: NewEvent[] = []
  if (after.started_at && !before.started_at) events.push({ kind: 'run.started', ...owner, facts })
  if (conclusion && !before.conclusion) {
    events.push({ kind: 'run.completed', ...owner, facts: { ...facts, conclusion } })
  }
  await recordEvents(trx, originOf(ctx), events)
}

/**
 * Records one event per job for its current status, and reports it on the commit of the run. After the commit,
 * waiting runners are notified if any of the jobs was queued.
 */
export async function recordJobs(
  trx: Transaction<Database>,
  ctx: ServiceCtx,
  repository: RepositoryRef,
  jobs: readonly (ReportedJob & Pick<JobRow, 'attempt'>)[],
): Promise<void> {
  const { id: repositoryId, owner_id: ownerId } = repository
  const events = jobs.map(({ id: jobId, run_id: runId, attempt, name, status, conclusion }): NewEvent => {
    const about = { ownerId, repositoryId, facts: { repositoryId, runId, jobId, attempt, name } }
    if (status !== 'completed') return { kind: kindOf[status], ...about }
    return {
      kind: 'job.completed',
      ...about,
      facts: { ...about.facts, conclusion: conclusion ?? 'skipped' },
    }
  })
  await recordEvents(trx, originOf(ctx), events)
  await reportJobs(trx, ctx, repository, jobs)
  if (jobs.some(({ status }) => status === 'queued'))
    announce(trx, { kind: 'jobs.queued', ownerId, repositoryId })
}

const kindOf = { waiting: 'job.blocked', queued: 'job.queued', in_progress: 'job.started' } as const

/** Notifies open pages, after the commit, that a run, one of its jobs or its artifacts changed. */
export function announceRun(
  trx: Transaction<Database>,
  { id: runId, repository_id: repositoryId }: Pick<RunRow, 'id' | 'repository_id'>,
): void {
  announce(trx, { kind: 'run.changed', runId, repositoryId })
}

/** Notifies open pages, after the commit, that these runners have started or finished a job. */
export async function announceRunners(trx: Transaction<Database>, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const runners = await selectRunnerScopes(trx, ids)
  for (const { id: runnerId, owner_id: ownerId, repository_id: repositoryId } of runners)
    announce(trx, { kind: 'runner.changed', runnerId, ownerId, repositoryId })
}
