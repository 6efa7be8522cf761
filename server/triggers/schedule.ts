import { Cron } from 'croner'
import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { isUnavailable } from '@/db/unavailable'
import {
  insertReadyRun,
  inTurn,
  isRunnable,
  lockAccounts,
  type ReadyRun,
  readWorkflow,
} from '@/server/actions'
import { placeOfPayload } from '@/server/hooks/payload'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { isDomainError } from '@/server/kernel/errors'
import { defineJob } from '@/server/kernel/jobs'
import { lockRepository, type RepositoryRow, selectRepositories } from '@/server/repos'
import { selectAccounts } from '@/server/users'
import { eachFile, fileOf, readWorkflowFiles, type WorkflowFile } from './files'
import { failedRun, runOf } from './run-of'
import {
  advanceSchedule,
  deleteSchedules,
  insertSchedules,
  type Schedule,
  selectDisabled,
  selectDueSchedules,
  selectSchedules,
} from './store'

type Wanted = Pick<Schedule, 'workflow_path' | 'cron' | 'timezone'>

const maxSchedules = 50
const maxCronLength = 255
const maxTimezoneLength = 100

/**
 * Notes when the workflows of a default branch start by the clock.
 * @throws {DomainError} tooManyRequests if git is overloaded.
 */
export async function followSchedules(ctx: ServiceCtx, repository: RepositoryRow): Promise<void> {
  let followed: string | undefined
  // Who has read an older commit than another process can be the last to write.
  for (;;) {
    const { commit, files } = await readHead(ctx, repository)
    if (commit === followed) return
    await storeSchedules(ctx, repository, (await eachFile(files, schedulesOf)).flat())
    followed = commit
  }
}

async function storeSchedules(
  ctx: ServiceCtx,
  { id, default_branch }: RepositoryRow,
  found: readonly Wanted[],
): Promise<void> {
  const wanted = found.slice(0, maxSchedules)
  const now = ctx.clock.now()
  await withTransaction(ctx.db, async trx => {
    // Another default branch is followed by who handles its event.
    if ((await lockRepository(trx, id))?.default_branch !== default_branch) return
    const present = await selectSchedules(trx, id)
    const isSame = (one: Wanted) => (other: Wanted) => keyOf(one) === keyOf(other)
    await deleteSchedules(
      trx,
      present.filter(schedule => !wanted.some(isSame(schedule))),
    )
    const added = wanted.filter(schedule => !present.some(isSame(schedule)))
    const rows = added.flatMap(schedule => {
      const next_at = nextOf(schedule, now)
      return next_at ? [{ ...schedule, repository_id: id, next_at }] : []
    })
    await insertSchedules(trx, rows)
  })
}

const keyOf = ({ workflow_path, cron, timezone }: Wanted): string =>
  JSON.stringify([workflow_path, cron, timezone])

async function schedulesOf({ path, document }: WorkflowFile): Promise<Wanted[]> {
  if (!document?.includes('schedule')) return []
  try {
    const { events } = await readWorkflow(document)
    const all = (events.schedule ?? []).map(({ cron, timezone = 'UTC' }) => ({
      workflow_path: path,
      cron,
      timezone,
    }))
    return [...new Map(all.filter(isShort).map(one => [keyOf(one), one])).values()]
  } catch (error) {
    // The push has told that it is invalid.
    if (isDomainError(error)) return []
    throw error
  }
}

const isShort = ({ cron, timezone }: Wanted): boolean =>
  cron.length <= maxCronLength && timezone.length <= maxTimezoneLength

function nextOf({ cron, timezone }: Pick<Wanted, 'cron' | 'timezone'>, after: Date): Date | undefined {
  try {
    // GitHub also takes steps without a range, such as 20/15.
    return new Cron(cron, { timezone, paused: true, sloppyRanges: true }).nextRun(after) ?? undefined
  } catch {
    // A pattern or a time zone that does not exist.
    return undefined
  }
}

async function readHead(ctx: ServiceCtx, repository: RepositoryRow) {
  const none = { commit: '', files: [] }
  if (repository.is_empty) return none
  const head = `refs/heads/${repository.default_branch}`
  return (await readWorkflowFiles(ctx, repository.storage_key, head)) ?? none
}

/** Starts the workflows that are due by the clock: each once, also if several times were missed. */
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
  const run = isRunnable(repository) ? await planScheduled(ctx, repository, schedule) : undefined
  await inTurn(id, () =>
    withTransaction(ctx.db, async trx => {
      await lockAccounts(trx, [repository.owner_id])
      const isOurs = await moveOn(ctx, trx, schedule)
      if (isOurs && run) await insertReadyRun(trx, ctx, { repository, actorId: null }, run)
    }),
  )
}

// False if another process did.
async function moveOn(ctx: ServiceCtx, trx: Transaction<Database>, schedule: Schedule): Promise<boolean> {
  const next = nextOf(schedule, ctx.clock.now())
  return await (next ? advanceSchedule(trx, schedule, next) : deleteSchedules(trx, [schedule]))
}

// One that fails is tried again at its next time: it must not be the first in the queue for ever.
async function passOver(ctx: ServiceCtx, schedule: Schedule, error: unknown): Promise<void> {
  if (isUnavailable(error)) throw error
  // Git is overloaded, or the repository was archived or deleted meanwhile.
  if (isDomainError(error))
    return ctx.log.warn({ err: error, schedule }, 'a workflow is not started by the clock')
  ctx.log.error({ err: error, schedule }, 'a workflow could not be started by the clock')
  await withTransaction(ctx.db, trx => moveOn(ctx, trx, schedule))
}

// Undefined if it is disabled, or no longer has this schedule.
async function planScheduled(
  ctx: ServiceCtx,
  repository: RepositoryRow,
  schedule: Schedule,
): Promise<ReadyRun | undefined> {
  const { commit, files } = await readHead(ctx, repository)
  const owner = (await selectAccounts(ctx.db, [repository.owner_id])).get(repository.owner_id)
  const file = files.find(({ path }) => path === schedule.workflow_path)
  if (!owner || file?.document === undefined) return undefined
  if ((await selectDisabled(ctx.db, repository.id)).has(fileOf(file))) return undefined
  if (!(await schedulesOf(file)).some(each => keyOf(each) === keyOf(schedule))) return undefined
  const { path, document } = file
  const place = await placeOfPayload(ctx, { repository, actorId: null })
  const cause = {
    repository,
    owner,
    actor: undefined,
    event: 'schedule',
    ref: `refs/heads/${repository.default_branch}`,
    commit,
    payload: { schedule: schedule.cron, workflow: path, ...place },
    title: '',
  }
  try {
    return await runOf(ctx, cause, { path, document }, await readWorkflow(document))
  } catch (error) {
    if (!isDomainError(error)) throw error
    return failedRun(ctx, cause, { path, document }, error.message)
  }
}
