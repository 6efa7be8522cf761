import {
  type Insertable,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
  type Transaction,
} from 'kysely'
import type { Db } from '@/db/client'
import { anyOf, countRows } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { RepositoriesTable } from '@/db/tables/repositories'
import type {
  RunConclusion,
  RunStatus,
  WorkflowRunAttemptsTable,
  WorkflowRunsTable,
} from '@/db/tables/workflow-runs'
import type { Group } from '@/db/tables/workflow-templates'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'

/** Row of an attempt without what only queries for its jobs read. */
export type AttemptRow = Omit<Selectable<WorkflowRunAttemptsTable>, 'jobs_since'>

/** Row of a run without its document, payload, variables and inputs, which can be long. */
export type RunRow = Omit<Selectable<WorkflowRunsTable>, 'document' | 'payload' | 'vars' | 'inputs'>

export const runColumns = [
  'workflow_runs.id',
  'workflow_runs.repository_id',
  'workflow_runs.owner_id',
  'workflow_runs.number',
  'workflow_runs.title',
  'workflow_runs.workflow_path',
  'workflow_runs.workflow_name',
  'workflow_runs.context',
  'workflow_runs.event',
  'workflow_runs.ref',
  'workflow_runs.sha',
  'workflow_runs.actor_id',
  'workflow_runs.attempt',
  'workflow_runs.status',
  'workflow_runs.conclusion',
  'workflow_runs.artifact_count',
  'workflow_runs.created_at',
  'workflow_runs.updated_at',
  'workflow_runs.started_at',
  'workflow_runs.completed_at',
  'workflow_runs.trigger_event_id',
  'workflow_runs.error',
  'workflow_runs.warnings',
  'workflow_runs.cancelled_at',
  'workflow_runs.concurrency',
  'workflow_runs.uses_groups',
  'workflow_runs.level',
] as const

export const attemptColumns = [
  'workflow_run_attempts.run_id',
  'workflow_run_attempts.number',
  'workflow_run_attempts.actor_id',
  'workflow_run_attempts.status',
  'workflow_run_attempts.conclusion',
  'workflow_run_attempts.created_at',
  'workflow_run_attempts.started_at',
  'workflow_run_attempts.completed_at',
] as const

export function findRun(db: Db, repositoryId: number, id: number): Promise<RunRow | undefined> {
  return db
    .selectFrom('workflow_runs')
    .select(runColumns)
    .where('repository_id', '=', repositoryId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Finds the ID of a repository's run by its number. */
export async function findRunId(db: Db, repositoryId: number, number: number): Promise<number | undefined> {
  const run = await db
    .selectFrom('workflow_runs')
    .select('id')
    .where('repository_id', '=', repositoryId)
    .where('number', '=', number)
    .executeTakeFirst()
  return run?.id
}

/** Fields of a run that fit on one line. */
export type RunSummary = Pick<RunRow, 'id' | 'number' | 'workflow_name' | 'error'>

/** Selects runs that these events started, in the order in which they were created. */
export function selectRunsStartedBy(
  db: Db,
  eventIds: readonly number[],
  limit: number,
): Promise<RunSummary[]> {
  return db
    .selectFrom('workflow_runs')
    .select(['id', 'number', 'workflow_name', 'error'])
    .where('trigger_event_id', '=', anyOf(eventIds))
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Selects runs by ID with all their attempts. Runs that do not exist are absent from the map. */
export async function selectRunsById(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, { run: RunRow; attempts: AttemptRow[] }>> {
  const runs = await db.selectFrom('workflow_runs').select(runColumns).where('id', '=', anyOf(ids)).execute()
  const attempts = await db
    .selectFrom('workflow_run_attempts')
    .select(attemptColumns)
    .where('run_id', '=', anyOf(ids))
    .execute()
  return new Map(
    runs.map(run => [run.id, { run, attempts: attempts.filter(({ run_id }) => run_id === run.id) }]),
  )
}

/**
 * Reads what a run was started with: its workflow, the payload of its event in the shape of webhooks, its
 * inputs, and its variables.
 */
export async function findStart(
  db: Db,
  runId: number,
): Promise<Pick<Selectable<WorkflowRunsTable>, 'document' | 'payload' | 'vars' | 'inputs'>> {
  return await db
    .selectFrom('workflow_runs')
    .select(['document', 'payload', 'vars', 'inputs'])
    .where('id', '=', runId)
    .executeTakeFirstOrThrow()
}

/** Stores the inputs of a run, unless it already has stored inputs. */
export async function storeInputs(db: Db, runId: number, inputs: object): Promise<void> {
  await db
    .updateTable('workflow_runs')
    .set({ inputs: JSON.stringify(inputs) })
    .where('id', '=', runId)
    .where('inputs', 'is', null)
    .execute()
}

/** Filter for runs. Omitted fields match everything. */
export interface RunFilter {
  event?: string | undefined
  /** Full names of refs, any of which matches. */
  refs?: readonly string[] | undefined
  statuses?: readonly RunStatus[] | undefined
  conclusion?: RunConclusion | undefined
  actorId?: number | undefined
  sha?: string | undefined
  /** Paths of workflows, any of which matches. */
  workflows?: readonly string[] | undefined
}

/** Scope of runs or jobs: a repository, all repositories of an account, or the whole site. */
export type RunsOf =
  | { kind: 'repository'; repositoryId: number }
  | { kind: 'owner'; ownerId: number }
  | { kind: 'site' }

/** SQL condition that a row of runs or jobs is in the scope. */
export function isIn(table: 'workflow_runs' | 'workflow_jobs', scope: RunsOf): RawBuilder<SqlBool> {
  const repository = sql.ref(`${table}.repository_id`)
  switch (scope.kind) {
    case 'repository':
      return sql`${repository} = ${scope.repositoryId}`
    case 'owner':
      return sql`${repository} = any (array(select id from repositories where owner_id = ${scope.ownerId}))`
    case 'site':
      return sql`true`
  }
}

function runsOf(
  db: Db,
  scope: RunsOf,
  { event, refs, statuses, conclusion, actorId, sha, workflows }: RunFilter,
): SelectQueryBuilder<Database, 'workflow_runs', object> {
  let runs = db.selectFrom('workflow_runs').where(isIn('workflow_runs', scope))
  if (event !== undefined) runs = runs.where('event', '=', event)
  if (refs) runs = runs.where('ref', 'in', refs)
  if (statuses) runs = runs.where('status', 'in', statuses)
  if (conclusion) runs = runs.where('conclusion', '=', conclusion)
  if (actorId !== undefined) runs = runs.where('actor_id', '=', actorId)
  if (sha !== undefined) runs = runs.where('sha', '=', sha)
  if (workflows) runs = runs.where('workflow_path', 'in', workflows)
  return runs
}

/** Selects a page of a scope's runs, newest first. */
export function selectRuns(db: Db, scope: RunsOf, filter: RunFilter, page: PageRequest): Promise<RunRow[]> {
  return runsOf(db, scope, filter)
    .select(runColumns)
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
}

export function countRuns(db: Db, scope: RunsOf, filter: RunFilter): Promise<number> {
  return countRows(runsOf(db, scope, filter))
}

/** Finds the conclusion of the newest run of a workflow on a ref that succeeded or failed. */
export async function findLastOutcome(
  db: Db,
  {
    repositoryId,
    workflow,
    ref,
    event,
  }: { repositoryId: number; workflow: string; ref: string; event: string },
): Promise<RunConclusion | undefined> {
  const runs = runsOf(db, { kind: 'repository', repositoryId }, { event: event || undefined })
  const run = await runs
    .select('conclusion')
    .where('workflow_path', '=', workflow)
    .where('ref', '=', ref)
    // Written like the index, which the planner otherwise does not recognize.
    .where(sql<SqlBool>`conclusion in ('success', 'failure')`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return run?.conclusion ?? undefined
}

/** Finds an attempt of a run by its number. */
export function findAttempt(db: Db, runId: number, number: number): Promise<AttemptRow | undefined> {
  return db
    .selectFrom('workflow_run_attempts')
    .select(attemptColumns)
    .where('run_id', '=', runId)
    .where('number', '=', number)
    .executeTakeFirst()
}

/** Selects the latest attempt of each of these runs, by run ID. */
export async function selectLatestAttempts(
  db: Db,
  runIds: readonly number[],
): Promise<Map<number, AttemptRow>> {
  const rows = await db
    .selectFrom('workflow_run_attempts')
    .innerJoin('workflow_runs', 'workflow_runs.id', 'workflow_run_attempts.run_id')
    .select(attemptColumns)
    .where('workflow_runs.id', '=', anyOf(runIds))
    .whereRef('workflow_run_attempts.number', '=', 'workflow_runs.attempt')
    .execute()
  return new Map(rows.map(row => [row.run_id, row]))
}

/**
 * Locks a run until the transaction ends and returns its current row, or undefined if it was deleted. Every
 * change to its attempts, jobs and tasks locks the run first.
 */
export function lockRun(trx: Transaction<Database>, id: number): Promise<RunRow | undefined> {
  return trx
    .selectFrom('workflow_runs')
    .select(runColumns)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Inserts a run and its first attempt. */
export async function insertRun(
  trx: Transaction<Database>,
  run: Insertable<WorkflowRunsTable>,
): Promise<RunRow> {
  const inserted = await trx
    .insertInto('workflow_runs')
    .values(run)
    .returning(runColumns)
    .executeTakeFirstOrThrow()
  await trx
    .insertInto('workflow_run_attempts')
    .values({
      run_id: inserted.id,
      number: inserted.attempt,
      actor_id: inserted.actor_id,
      status: inserted.status,
      conclusion: inserted.conclusion,
      created_at: inserted.created_at,
      started_at: inserted.started_at,
      completed_at: inserted.completed_at,
    })
    .execute()
  return inserted
}

/** Records that the latest attempt of a run was canceled. */
export async function markCancelled(trx: Transaction<Database>, id: number, now: Date): Promise<void> {
  await trx.updateTable('workflow_runs').set({ cancelled_at: now }).where('id', '=', id).execute()
}

export async function deleteRun(trx: Transaction<Database>, id: number): Promise<void> {
  await trx.deleteFrom('workflow_runs').where('id', '=', id).execute()
}

export type Progress = Pick<RunRow, 'status' | 'conclusion' | 'started_at' | 'completed_at'>

/** Sets the status of a run and its latest attempt. */
export async function updateProgress(
  trx: Transaction<Database>,
  { id, attempt }: RunRow,
  progress: Progress,
  now: Date,
): Promise<RunRow> {
  await trx
    .updateTable('workflow_run_attempts')
    .set(progress)
    .where('run_id', '=', id)
    .where('number', '=', attempt)
    .execute()
  return await trx
    .updateTable('workflow_runs')
    .set({ ...progress, updated_at: now })
    .where('id', '=', id)
    .returning(runColumns)
    .executeTakeFirstOrThrow()
}

/**
 * Takes the next run number of a repository and locks the repository until the transaction ends. Undefined if
 * the repository was deleted or its owner changed.
 */
export function takeRunNumber(
  trx: Transaction<Database>,
  { id, owner_id }: { id: number; owner_id: number },
): Promise<(LockedOwners & { last_run_number: number }) | undefined> {
  return trx
    .updateTable('repositories')
    .set(eb => ({ last_run_number: eb('last_run_number', '+', 1) }))
    .where('id', '=', id)
    .where('owner_id', '=', owner_id)
    .returning(['last_run_number', 'owner_id', 'archived_at', 'settings'])
    .executeTakeFirst()
}

/** Takes the ID of a run that is about to be inserted, because its title or concurrency group contains it. */
export async function takeRunId(trx: Transaction<Database>): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('workflow_runs', 'id')) as id`.execute(trx)
  return Number(rows[0]?.id)
}

/** Locks the accounts that a change of runs refers to. Must come before all other locks. */
export async function lockAccounts(trx: Transaction<Database>, ids: readonly number[]): Promise<void> {
  await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', anyOf([...new Set(ids)]))
    .orderBy('id')
    .forKeyShare()
    .execute()
}

/** Columns of a locked repository that decide whether its runs can start or continue. */
export type LockedOwners = Pick<Selectable<RepositoriesTable>, 'owner_id' | 'archived_at' | 'settings'>

/**
 * Locks a run's repository, its owner and these people against deletion. Must be called before the run is
 * locked. The repository keeps its owner until the transaction ends. Undefined if it was deleted or its owner
 * changed. An exclusive lock also serializes changes of the repository's concurrency groups.
 */
export async function lockOwnersOf(
  trx: Transaction<Database>,
  { id, owner_id }: { id: number; owner_id: number },
  people: readonly number[],
  how: 'shared' | 'exclusive' = 'shared',
): Promise<LockedOwners | undefined> {
  await lockAccounts(trx, [owner_id, ...people])
  const repository = trx
    .selectFrom('repositories')
    .select(['owner_id', 'archived_at', 'settings'])
    .where('id', '=', id)
    .where('owner_id', '=', owner_id)
  const locked = how === 'shared' ? repository.forKeyShare() : repository.forNoKeyUpdate()
  return await locked.executeTakeFirst()
}

/** Whether the workflow of a run is disabled. */
export async function isDisabled(
  db: Db,
  { repository_id, workflow_path }: Pick<RunRow, 'repository_id' | 'workflow_path'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('disabled_workflows')
    .select('file')
    .where('repository_id', '=', repository_id)
    .where('file', '=', workflow_path.slice(workflow_path.lastIndexOf('/') + 1))
    .executeTakeFirst()
  return row !== undefined
}

/** Records that a run, all of whose attempts have completed, can have concurrency groups. */
export async function markUsesGroups(db: Db, runId: number): Promise<void> {
  await db
    .updateTable('workflow_runs')
    .set({ uses_groups: true })
    .where('id', '=', runId)
    .where('status', '=', 'completed')
    .execute()
}

/** Whether a run or its jobs can have concurrency groups, which never changes while the run is open. */
export async function usesGroups(db: Db, runId: number): Promise<boolean> {
  const run = await db
    .selectFrom('workflow_runs')
    .select('uses_groups')
    .where('id', '=', runId)
    .executeTakeFirst()
  return run?.uses_groups ?? false
}

/** What a new attempt of a run starts with. */
export interface NewAttempt {
  ownerId: number
  /** Null if the account was deleted. */
  actor: { id: number; name: string } | undefined
  /** Whether it reruns all jobs. */
  isFull: boolean
  vars: Record<string, string>
  concurrency: Group | null
  now: Date
}

/** Inserts the next attempt of a run, whose jobs all wait, under the current owner of its repository. */
export async function insertAttempt(
  trx: Transaction<Database>,
  run: RunRow,
  { ownerId, actor, isFull, vars, concurrency, now }: NewAttempt,
): Promise<RunRow> {
  const open = { status: 'waiting', conclusion: null, started_at: null, completed_at: null } as const
  const number = run.attempt + 1
  const since = sql<number>`(select jobs_since from workflow_run_attempts
    where workflow_run_attempts.run_id = ${run.id} and workflow_run_attempts.number = ${run.attempt})`
  await trx
    .insertInto('workflow_run_attempts')
    .values({
      ...open,
      run_id: run.id,
      number,
      actor_id: actor?.id ?? null,
      created_at: now,
      jobs_since: isFull ? number : since,
    })
    .execute()
  return await trx
    .updateTable('workflow_runs')
    .set({
      ...open,
      owner_id: ownerId,
      attempt: number,
      cancelled_at: null,
      updated_at: now,
      context: JSON.stringify({ ...run.context, triggering_actor: actor?.name ?? '' }),
      vars: JSON.stringify(vars),
      concurrency: concurrency && JSON.stringify(concurrency),
    })
    .where('id', '=', run.id)
    .returning(runColumns)
    .executeTakeFirstOrThrow()
}
