import type { Db } from '@/db/client'
import type { Group, Template } from '@/db/tables/workflow-templates'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { announceRun, recordJobs } from './announce'
import { type CalledWorkflow, callersOf, selectCalled } from './called-jobs'
import { changeJobs, endJobs, type RunChange } from './change-jobs'
import { endOf } from './concurrency'
import { contextOfRun } from './github-context'
import { insertJobs, type JobRow, selectJobs } from './job-store'
import { enterWorkflowGroup } from './reopened-calls'
import { jobOf } from './start-run'
import { findRun, findStart, type RunRow } from './store'
import { changeCall, type FoundCall, failed, type WaitingCall } from './waiting-calls'
import type { Json } from './workflow/expressions'
import type { NewJob } from './workflow/first-jobs'
import { maxJobs, maxMatrixJobs } from './workflow/run-limits'
import { type Asking, askThread } from './workflow/thread/ask'

/** Call with the workflows above it: the run's own, and those that were called in order to get there. */
export interface OpenCall {
  run: RunRow
  job: JobRow
  jobs: readonly JobRow[]
  /** Workflows that were called, the nearest first. */
  callers: CalledWorkflow[]
  /** All workflows that the run has called so far. */
  all: Pick<CalledWorkflow, 'source_repository_id' | 'path' | 'sha'>[]
  /** Total size of these workflows, in characters. */
  size: number
}

/** Loads a call; undefined if it does not wait any more. */
export async function findOpenCall(
  db: Db,
  { id, run_id, repository_id }: WaitingCall,
): Promise<OpenCall | undefined> {
  const run = await findRun(db, repository_id, run_id)
  const jobs = run && (await selectJobs(db, run.id, run.attempt))
  const job = jobs?.find(each => each.id === id)
  if (!run || !jobs || job?.hold !== 'call') return undefined
  const above = callersOf(jobs, job).flatMap(({ called_id }) => called_id ?? [])
  const found = await selectCalled(db, above)
  const all = await db
    .selectFrom('called_workflows')
    .select(['source_repository_id', 'path', 'sha'])
    .select(eb => eb.fn<number>('length', ['document']).as('length'))
    .where('run_id', '=', run.id)
    .orderBy('id')
    .execute()
  return {
    run,
    job,
    jobs,
    callers: above.flatMap(each => found.get(each) ?? []),
    all,
    size: all.reduce((sum, { length }) => sum + length, 0),
  }
}

/** Reusable workflow that was read for a call. */
export type ReadWorkflow = Omit<CalledWorkflow, 'id' | 'run_id' | 'repository_id' | 'outputs' | 'concurrency'>

/** Jobs of a reusable workflow, planned for a call. */
export interface PlannedCall {
  jobs: NewJob[]
  concurrency: Group | null
  inputs: Record<string, Json>
  outputs: Record<string, Template>
}

/**
 * Plans the jobs of a reusable workflow for a call.
 * @throws {DomainError} as `askThread`.
 */
export async function planCall(
  ctx: ServiceCtx,
  asking: Asking,
  { run, job, jobs }: OpenCall,
  { path, document }: ReadWorkflow,
): Promise<PlannedCall> {
  const { payload, vars } = await findStart(ctx.db, run.id)
  const last = Math.max(...jobs.map(({ position }) => position))
  return await askThread(asking, 'planCall', {
    document,
    path,
    context: contextOfRun(run),
    start: { payload, vars },
    call: job.call ?? { uses: '', inputs: {}, inherits: false },
    caller: job.name,
    permissions: job.permissions,
    position: (Math.floor(last / maxMatrixJobs) + 1) * maxMatrixJobs,
  })
}

/**
 * Adds the jobs of a reusable workflow to the run that calls it, unless the call does not wait any more. If the
 * workflow has a concurrency group, the call asks for it first.
 */
export async function openCall(
  ctx: ServiceCtx,
  waiting: WaitingCall,
  workflow: ReadWorkflow,
  planned: PlannedCall,
): Promise<void> {
  await changeCall(ctx, waiting, async (change, run, found) => {
    const { job, jobs, unrecorded } = found
    if (jobs.length + planned.jobs.length > maxJobs)
      return await endJobs(change, [job.id], failed(`The run would have more than ${maxJobs} jobs.`))
    if (!(await mayStart(change, run, found, planned.concurrency))) return
    const { trx, ctx, repository, now } = change
    const called = await trx
      .insertInto('called_workflows')
      .values({
        ...workflow,
        outputs: JSON.stringify(planned.outputs),
        concurrency: planned.concurrency && JSON.stringify(planned.concurrency),
        run_id: run.id,
        repository_id: run.repository_id,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { tries: _, retryAt: __, ...own } = job.call ?? {}
    const call = JSON.stringify({ ...own, inputs: planned.inputs })
    await changeJobs(change, [job.id], { hold: null, called_id: called.id, call }, 'silent')
    const membership = { parent_position: job.position, workflow_id: called.id }
    const rows = planned.jobs.map(each => ({ ...jobOf(run, each, now), ...membership }))
    const inserted = await insertJobs(trx, rows)
    const isBlocked = ({ needs }: JobRow): boolean => needs.length > 0
    await recordJobs(trx, ctx, repository, inserted.filter(isBlocked))
    for (const each of inserted) if (!isBlocked(each)) unrecorded.add(each.id)
    announceRun(trx, run)
  })
}

async function mayStart(
  change: RunChange,
  run: RunRow,
  { job, jobs, touched }: FoundCall,
  group: Group | null,
): Promise<boolean> {
  if (!group) return true
  const entry = await enterWorkflowGroup(change, { run, job, jobs, group }, touched)
  if (entry === 'waits') await changeJobs(change, [job.id], { hold: 'concurrency' }, 'silent')
  if (entry === 'deadlock' || entry === 'full') await endJobs(change, [job.id], endOf(entry, group))
  return entry === 'holds'
}
