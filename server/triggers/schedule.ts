import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { isUnavailable } from '@/db/unavailable'
import {
  askingFor,
  askThread,
  insertNewRun,
  isRunnable,
  lockAccounts,
  oneAtATime,
  type RunPlan,
} from '@/server/actions'
import { repositoryOfPayload } from '@/server/hooks/payload'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { isDomainError } from '@/server/kernel/errors'
import { defineJob } from '@/server/kernel/jobs'
import { lockRepository, type RepositoryRow, selectRepositories } from '@/server/repos'
import { selectAccounts } from '@/server/users'
import { fileOf, isUnreadable, orTooMuch, readWorkflowFiles, type WorkflowFile } from './files'
import { failedRun, runOf } from './run-of'
import {
  advanceSchedule,
  deleteSchedules,
  hasNoSchedules,
  insertSchedules,
  type Schedule,
  selectDisabled,
  selectDueSchedules,
  selectSchedules,
  updateFollowsRuns,
} from './store'

type Wanted = Pick<Schedule, 'workflow_path' | 'cron' | 'timezone'>

/** Maximum number of schedules in all files of a repository. */
export const maxSchedules = 50

/**
 * Updates the stored schedules of a repository from the workflows on its default branch. New ones start runs on
 * behalf of the actor. A file that takes too much to read keeps its schedules. Also records whether a workflow
 * may follow runs of others.
 * @throws {DomainError} tooManyRequests if Git or the thread that reads workflows is overloaded.
 */
export async function followSchedules(
  ctx: ServiceCtx,
  repository: RepositoryRow,
  actorId?: number,
): Promise<void> {
  let followed: string | undefined
  // Repeated until the commit is unchanged, because a process that read an older commit could be the last to
  // write.
  for (;;) {
    const { commit, files } = await readHead(ctx, repository)
    if (commit === followed) return
    const wanted: Wanted[] = []
    const unread = new Set<string>()
    for (const file of files) {
      if (wanted.length >= maxSchedules) break
      const found = await orTooMuch(schedulesOf(ctx, repository, file))
      if (found) wanted.push(...found)
      else unread.add(file.path)
    }
    const followsRuns = files.some(({ document }) => document?.includes('workflow_run') ?? true)
    const found = { wanted: wanted.slice(0, maxSchedules), unread, followsRuns, actorId }
    // Whoever writes schedules reads the branch again afterward, so a process that writes nothing need not.
    if (wanted.length + unread.size === 0 && (await hasNoSchedules(ctx.db, repository.id, followsRuns)))
      return
    await storeSchedules(ctx, repository, found)
    followed = commit
  }
}

interface FoundSchedules {
  wanted: readonly Wanted[]
  /** Files whose schedules are unknown. */
  unread: ReadonlySet<string>
  followsRuns: boolean
  actorId: number | undefined
}

async function storeSchedules(
  ctx: ServiceCtx,
  repository: RepositoryRow,
  { wanted, unread, followsRuns, actorId }: FoundSchedules,
): Promise<void> {
  const { id, default_branch } = repository
  const times = await nextTimes(ctx, repository, wanted)
  await withTransaction(ctx.db, async trx => {
    // If the default branch was changed, the worker that handles that event updates the schedules.
    if ((await lockRepository(trx, id))?.default_branch !== default_branch) return
    await updateFollowsRuns(trx, id, followsRuns)
    const present = await selectSchedules(trx, id)
    const isSame = (one: Wanted) => (other: Wanted) => keyOf(one) === keyOf(other)
    // The content of a file that takes too much to read is unknown, so its schedules are kept.
    const kept = present.filter(({ workflow_path }) => unread.has(workflow_path))
    const followed = wanted.slice(0, maxSchedules - kept.length)
    await deleteSchedules(
      trx,
      present.filter(schedule => !kept.includes(schedule) && !followed.some(isSame(schedule))),
    )
    const rows = followed.flatMap((schedule, index) => {
      const next_at = times[index]
      return next_at ? [{ ...schedule, repository_id: id, next_at, actor_id: actorId ?? null }] : []
    })
    await insertSchedules(
      trx,
      rows.filter(schedule => !present.some(isSame(schedule))),
    )
  })
}

const keyOf = ({ workflow_path, cron, timezone }: Wanted): string =>
  JSON.stringify([workflow_path, cron, timezone])

async function schedulesOf(
  ctx: ServiceCtx,
  repository: RepositoryRow,
  { path, document }: WorkflowFile,
): Promise<Wanted[]> {
  if (!document?.includes('schedule')) return []
  try {
    const times = await askThread(askingFor(ctx, repository.owner_id), 'schedules', { document })
    const all = times.map(each => ({ workflow_path: path, ...each }))
    return [...new Map(all.map(one => [keyOf(one), one])).values()]
  } catch (error) {
    // The push has already created a failed run for the invalid workflow.
    if (isUnreadable(error)) return []
    throw error
  }
}

// Undefined if a schedule has no next time.
async function nextTimes(
  ctx: ServiceCtx,
  repository: RepositoryRow,
  schedules: readonly Pick<Wanted, 'cron' | 'timezone'>[],
): Promise<(Date | undefined)[]> {
  if (schedules.length === 0) return []
  const asked = schedules.map(({ cron, timezone }) => ({ cron, timezone }))
  const after = ctx.clock.now().getTime()
  const next = await askThread(askingFor(ctx, repository.owner_id), 'nextTimes', { schedules: asked, after })
  return next.map(time => (time === null ? undefined : new Date(time)))
}

async function readHead(ctx: ServiceCtx, repository: RepositoryRow) {
  const none = { commit: '', files: [] }
  if (repository.is_empty) return none
  const head = `refs/heads/${repository.default_branch}`
  return (await readWorkflowFiles(ctx, repository.storage_key, head)) ?? none
}

/** Starts the workflows whose scheduled time has come. Several missed times start one run. */
export const startScheduledJob = defineJob({
  name: 'workflows.startScheduled',
  async run(ctx, signal) {
    const due = await selectDueSchedules(ctx.db, ctx.clock.now())
    for (const schedule of due) {
      if (signal.aborted) break
      await startScheduled(ctx, schedule).catch(error => passOver(ctx, schedule, error))
    }
    return { due: due.length }
  },
})

async function startScheduled(ctx: ServiceCtx, schedule: Schedule): Promise<void> {
  const { repository_id: id } = schedule
  const repository = (await selectRepositories(ctx.db, [id])).get(id)
  if (!repository) return
  const planned = isRunnable(repository) ? await planScheduled(ctx, repository, schedule) : undefined
  const [next] = await nextTimes(ctx, repository, [schedule])
  await oneAtATime(id, () =>
    withTransaction(ctx.db, async trx => {
      const people = planned ? [planned.actorId] : []
      await lockAccounts(trx, [repository.owner_id, ...people])
      const isOurs = await moveOn(trx, schedule, next)
      const target = { repository, actorId: planned?.actorId ?? null }
      if (isOurs && planned) await insertNewRun(trx, ctx, target, planned.run)
    }),
  )
}

// Returns false if another process did so first.
async function moveOn(
  trx: Transaction<Database>,
  schedule: Schedule,
  next: Date | undefined,
): Promise<boolean> {
  return await (next ? advanceSchedule(trx, schedule, next) : deleteSchedules(trx, [schedule]))
}

const refusedMs = 60_000

// After an unexpected failure, a schedule is retried at its next time; after a refusal, a minute later.
// Otherwise it would remain first in the queue forever.
async function passOver(ctx: ServiceCtx, schedule: Schedule, error: unknown): Promise<void> {
  if (isUnavailable(error)) throw error
  // Git is overloaded, the workflow cannot be read, its owner's lane pauses, or the repository was archived
  // or deleted concurrently.
  if (isDomainError(error)) {
    ctx.log.warn({ err: error, schedule }, 'a scheduled workflow was refused and is retried in a minute')
    const later = new Date(ctx.clock.now().getTime() + refusedMs)
    await withTransaction(ctx.db, trx => moveOn(trx, schedule, later))
    return
  }
  ctx.log.error({ err: error, schedule }, 'a scheduled workflow could not be started')
  const repository = (await selectRepositories(ctx.db, [schedule.repository_id])).get(schedule.repository_id)
  if (!repository) return
  const [next] = await nextTimes(ctx, repository, [schedule])
  await withTransaction(ctx.db, trx => moveOn(trx, schedule, next))
}

// Returns undefined if the workflow is disabled or no longer has this schedule.
async function planScheduled(
  ctx: ServiceCtx,
  repository: RepositoryRow,
  schedule: Schedule,
): Promise<{ run: RunPlan; actorId: number } | undefined> {
  const { commit, files } = await readHead(ctx, repository)
  const owner = (await selectAccounts(ctx.db, [repository.owner_id])).get(repository.owner_id)
  const file = files.find(({ path }) => path === schedule.workflow_path)
  if (!owner || file?.document === undefined) return undefined
  if ((await selectDisabled(ctx.db, repository.id)).has(fileOf(file))) return undefined
  if (!(await schedulesOf(ctx, repository, file)).some(each => keyOf(each) === keyOf(schedule)))
    return undefined
  const { path, document } = file
  const person = schedule.actor_id ?? repository.owner_id
  const actor = (await selectAccounts(ctx.db, [person])).get(person) ?? owner
  const target = await repositoryOfPayload(ctx, { repository, actorId: actor.id })
  const cause = {
    repository,
    owner,
    actor,
    event: 'schedule',
    ref: `refs/heads/${repository.default_branch}`,
    commit,
    payload: { schedule: schedule.cron, workflow: path, ...target },
    title: '',
  }
  try {
    return { run: await runOf(ctx, cause, { path, document }), actorId: actor.id }
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return { run: failedRun(ctx, cause, { path, document }, error.message), actorId: actor.id }
  }
}
