import { type JobRow, viewAttempt, viewJob, viewWorkflow } from '@/server/actions'
import type { Account } from '@/server/kernel/account'
import { anonymous } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { viewOrg } from '@/server/orgs'
import type { RepositoryRow } from '@/server/repos'
import { lookupsOf } from './lookups'
import { repositoryState } from './state'
import { type EventOf, type HookPayload, payload } from './types'

type RunEvent = EventOf<'run.created' | 'run.retried' | 'run.started' | 'run.completed'>
type JobEvent = EventOf<'job.blocked' | 'job.queued' | 'job.started' | 'job.completed'>

/** Builds the payload of a workflow run event, with the status that the run had at the event. */
export async function runChanged(ctx: ServiceCtx, event: RunEvent): Promise<HookPayload | undefined> {
  const found = await runState(ctx, event)
  if (!found) return undefined
  const { run, attempt, location, common } = found
  const people = await lookupsOf(ctx.db).accounts([run.actor_id, attempt.actor_id].flatMap(id => id ?? []))
  const then = { ...attempt, ...progressAt(event.kind, attempt) }
  const { workflow_path: path, workflow_name: name } = run
  const known = { people, repository: common.repository }
  return payload('workflow_run', {
    action: runActions[event.kind],
    workflow: viewWorkflow(ctx, location, { path, name }),
    workflow_run: viewAttempt(ctx, location, { run, attempt: then }, known),
    ...common,
  })
}

/** Builds the payload of a job event, with the status that the job had at the event. */
export async function jobChanged(ctx: ServiceCtx, event: JobEvent): Promise<HookPayload | undefined> {
  const lookups = lookupsOf(ctx.db)
  const found = await runState(ctx, event)
  const { jobId = 0 } = event.facts
  const job = found && (await lookups.jobs([jobId])).get(jobId)
  if (!job) return undefined
  const { run, location, common } = found
  const hasBegun = event.kind === 'job.started' || event.kind === 'job.completed'
  const task = hasBegun ? (await lookups.tasksOfJobs([jobId])).get(jobId) : undefined
  const action = jobActions[event.kind]
  const then: JobRow = { ...job, ...progressAt(event.kind, job), status: action }
  const shown = viewJob(ctx, location, run, then, task)
  return payload('workflow_job', { action, workflow_job: shown, ...common })
}

const runActions = {
  'run.created': 'requested',
  'run.retried': 'requested',
  'run.started': 'in_progress',
  'run.completed': 'completed',
} as const

const jobActions = {
  'job.blocked': 'waiting',
  'job.queued': 'queued',
  'job.started': 'in_progress',
  'job.completed': 'completed',
} as const

type Progress = Pick<JobRow, 'status' | 'conclusion' | 'started_at' | 'completed_at'>

// The run or job may have progressed since the event.
function progressAt(kind: (RunEvent | JobEvent)['kind'], now: Progress): Partial<Progress> {
  if (kind.endsWith('.completed')) return {}
  const open = { conclusion: null, completed_at: null }
  if (kind.endsWith('.started')) return { ...open, status: 'in_progress' }
  return { ...open, started_at: null, status: now.status === 'waiting' ? 'waiting' : 'queued' }
}

async function runState(ctx: ServiceCtx, event: RunEvent | JobEvent) {
  const { repositoryId, runId = 0, attempt: number } = event.facts
  const found = (await lookupsOf(ctx.db).runs([runId])).get(runId)
  const attempt = found?.attempts.find(each => each.number === number)
  if (!found || !attempt) return undefined
  // Events without an actor, such as those of runners, are attributed to the person who started the attempt.
  const actorId = event.actorId ?? attempt.actor_id
  const state = await repositoryState(ctx, { ...event, actorId }, repositoryId)
  if (!state?.row || !state.account) return undefined
  const { row, account, repository, sender } = state
  return {
    run: found.run,
    attempt,
    location: { repository: row, owner: account },
    common: { ...organizationOf(ctx, account), repository, sender },
  }
}

const organizationOf = (ctx: ServiceCtx, account: Account) =>
  account.kind === 'organization' ? { organization: viewOrg(ctx, account) } : {}

/**
 * Returns the repository, its organization, and the sender of an event as payloads show them; empty if the
 * repository was deleted.
 */
export async function repositoryOfPayload(
  ctx: ServiceCtx,
  { repository: row, actorId }: { repository: RepositoryRow; actorId: number | null },
): Promise<Record<string, unknown>> {
  const open = { ...ctx, caller: anonymous }
  const location = { id: 0, actorId, ownerId: row.owner_id, repositoryId: row.id }
  const state = await repositoryState(open, location, row.id)
  if (!state?.account) return {}
  const { repository, sender, account } = state
  return { ...organizationOf(open, account), repository, sender }
}
