import { sql, type Transaction } from 'kysely'
import type { Db } from '@/db/client'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { isUnstorable } from '@/db/violation'
import {
  cancelRunsOfFormerOwners,
  insertNewRun,
  isRunnable,
  lockAccounts,
  oneAtATime,
  type RunPlan,
  type RunTarget,
  selectRunsById,
} from '@/server/actions'
import {
  defineEventWorker,
  dropLeased,
  type LeasedEvent,
  leaseEvents,
  putOff,
  returnLeased,
  takeLeased,
  workflowConsumer,
} from '@/server/events'
import { workflowPayloadOf } from '@/server/hooks/payload'
import { createQueues } from '@/server/kernel/concurrency-limit'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { isDomainError } from '@/server/kernel/errors'
import { selectRepositories } from '@/server/repos'
import { selectAccounts } from '@/server/users'
import { planRuns, type Scene } from './plan-runs'
import { followSchedules } from './schedule'

// The lease covers the time in which events are started, plus the handling of the last one.
const leaseMs = 120_000
const maxBeginMs = 20_000
const maxEvents = 20

/** Starts the workflow runs for recorded events. Runs in every process. */
export const startWorkflowsWorker = defineEventWorker({
  name: 'workflows.start',
  consumer: workflowConsumer,
  leaseMs,
  maxEvents,
  handle: (ctx, signal) => startWorkflows(ctx, signal),
})

/**
 * Starts the runs for waiting events and returns how many events were leased, or `maxEvents` if some of them
 * were returned to the outbox because the others took long. A failure is logged and retried with increasing
 * delays; after 30 tries, within about a day, the event is dropped. No event is started after the signal is
 * aborted.
 */
export async function startWorkflows(
  ctx: ServiceCtx,
  signal?: AbortSignal,
  makePayload = workflowPayloadOf,
): Promise<number> {
  const now = ctx.clock.now()
  const until = new Date(now.getTime() + leaseMs)
  const events = await leaseEvents(ctx.db, workflowConsumer, { limit: maxEvents, now, until })
  const inOrder = createQueues()
  const late: number[] = []
  await Promise.all(
    events.map(event =>
      // A repository's events are handled in order, so that its runs are numbered in the same order.
      inOrder(event.repositoryId ?? 0, async () => {
        if (signal?.aborted || ctx.clock.now().getTime() - now.getTime() >= maxBeginMs) late.push(event.id)
        else await startRunsOf(ctx, event, makePayload).catch(error => putOffOrDrop(ctx, event, error))
      }),
    ),
  )
  if (late.length === 0) return events.length
  await returnLeased(ctx.db, workflowConsumer, late, ctx.clock.now())
  return maxEvents
}

async function startRunsOf(
  ctx: ServiceCtx,
  event: LeasedEvent,
  makePayload: typeof workflowPayloadOf,
): Promise<void> {
  if (event.kind === 'repository.transferred') {
    await endRunsOf(ctx, event)
    return await drop(ctx, event)
  }
  const scene = await sceneOf(ctx, event)
  if (scene && mayChangeSchedules(event, scene)) await followSchedules(ctx, scene.repository, scene.actor?.id)
  // Events from before a transfer start no runs under the new owner.
  const isOfOwner = scene?.repository.owner_id === event.ownerId
  const runs = scene && isOfOwner ? await planRuns(ctx, event, scene, makePayload) : []
  if (!scene || runs.length === 0) return await drop(ctx, event)
  const { repository, actor } = scene
  const start = () =>
    withTransaction(ctx.db, async trx => {
      const claimed = await takeLeased(trx, workflowConsumer, [event.id])
      if (!claimed.has(event.id)) return
      await lockAccounts(trx, [repository.owner_id, ...(actor ? [actor.id] : [])])
      for (const run of runs) {
        await insertOrFail(trx, ctx, { repository, actorId: actor?.id ?? null }, run)
      }
    })
  try {
    await oneAtATime(repository.id, start)
  } catch (error) {
    // The repository was archived, deleted or transferred concurrently, or actions were turned off.
    const isOver = isDomainError(error) && (error.kind === 'forbidden' || error.kind === 'notFound')
    if (!isOver) throw error
    await drop(ctx, event)
  }
}

// Jobs that have not started are canceled; running ones are stopped.
async function endRunsOf(ctx: ServiceCtx, event: LeasedEvent): Promise<void> {
  const id = event.repositoryId ?? 0
  const repository = (await selectRepositories(ctx.db, [id])).get(id)
  if (repository) await cancelRunsOfFormerOwners(ctx, repository)
}

/**
 * Inserts a run. If it cannot be stored, inserts a failed run in its place, so that the event's other runs
 * still start.
 */
async function insertOrFail(
  trx: Transaction<Database>,
  ctx: ServiceCtx,
  target: RunTarget,
  run: RunPlan,
): Promise<void> {
  // The activity tells the runs of one event apart.
  const { action } = run.payload ?? {}
  const payload = typeof action === 'string' ? { action } : {}
  const failed = { ...run, payload, jobs: [], error: 'The run could not be stored.' }
  for (const each of [run, failed]) {
    await sql`savepoint run`.execute(trx)
    try {
      await insertNewRun(trx, ctx, target, each)
      return
    } catch (error) {
      if (!isUnstorable(error)) throw error
      ctx.log.error({ err: error, workflow: run.workflow_path }, 'a run could not be stored')
      await sql`rollback to savepoint run`.execute(trx)
    }
  }
}

const mayChangeSchedules = ({ kind, facts }: LeasedEvent, { repository }: Scene): boolean =>
  kind === 'repository.edited' ||
  (kind === 'git.pushed' && facts.ref === `refs/heads/${repository.default_branch}`)

async function drop({ db }: ServiceCtx, { id }: LeasedEvent): Promise<void> {
  await dropLeased(db, workflowConsumer, [id])
}

async function sceneOf({ db }: ServiceCtx, event: LeasedEvent): Promise<Scene | undefined> {
  const { repositoryId } = event
  const actorId = event.actorId ?? (await runActorOf(db, event))
  const repository =
    repositoryId === null ? undefined : (await selectRepositories(db, [repositoryId])).get(repositoryId)
  if (!repository || !isRunnable(repository)) return undefined
  const accounts = await selectAccounts(db, [repository.owner_id, ...(actorId === null ? [] : [actorId])])
  const owner = accounts.get(repository.owner_id)
  return owner && { repository, owner, actor: actorId === null ? undefined : accounts.get(actorId) }
}

// A runner that ends a run acts for the person who started it.
async function runActorOf(db: Db, { kind, facts }: LeasedEvent): Promise<number | null> {
  if (!kind.startsWith('run.') || !('runId' in facts) || facts.runId === undefined) return null
  return (await selectRunsById(db, [facts.runId])).get(facts.runId)?.run.actor_id ?? null
}

// The 30th try happens within a day; a failure that lasts that long is permanent.
const maxTries = 30

async function putOffOrDrop(ctx: ServiceCtx, event: LeasedEvent, error: unknown): Promise<void> {
  await putOff(ctx, workflowConsumer, event, error)
  if (event.leases >= maxTries) await drop(ctx, event)
}
