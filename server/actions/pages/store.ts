import { type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '@/db/client'
import { countRows } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { WorkflowRunAttemptsTable } from '@/db/tables/workflow-runs'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'
import { type RunRow, runColumns } from '../store'
import type { RunState } from './schema'

export type AttemptRow = Selectable<WorkflowRunAttemptsTable>
/** Filters of a list. An empty `ref` or `event` does not filter. */
export interface WantedRuns {
  state: RunState
  ref: string
  event: string
}

function runsOf(
  db: Db,
  repositoryId: number,
  { state, ref, event }: WantedRuns,
): SelectQueryBuilder<Database, 'workflow_runs', object> {
  let runs = db.selectFrom('workflow_runs').where('repository_id', '=', repositoryId)
  if (state === 'active') runs = runs.where('status', 'in', ['queued', 'waiting', 'in_progress'])
  else if (state !== 'all') runs = runs.where('conclusion', '=', state)
  if (ref) runs = runs.where('ref', '=', ref)
  return event ? runs.where('event', '=', event) : runs
}

/** Selects a page of a repository's runs, newest first. */
export function selectShownRuns(
  db: Db,
  repositoryId: number,
  wanted: WantedRuns,
  page: PageRequest,
): Promise<RunRow[]> {
  return runsOf(db, repositoryId, wanted)
    .select(runColumns)
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
}

export function countShownRuns(db: Db, repositoryId: number, wanted: WantedRuns): Promise<number> {
  return countRows(runsOf(db, repositoryId, wanted))
}

const newest = 1000

/** Selects the refs and events of the newest runs. */
export async function selectRunFilters(
  db: Db,
  repositoryId: number,
): Promise<{ refs: string[]; events: string[] }> {
  const { refs, events } = await db
    .selectFrom(
      db
        .selectFrom('workflow_runs')
        .select(['ref', 'event'])
        .where('repository_id', '=', repositoryId)
        .orderBy('id', 'desc')
        .limit(newest)
        .as('newest'),
    )
    .select([
      sql<string[] | null>`array_agg(distinct ref)`.as('refs'),
      sql<string[] | null>`array_agg(distinct event)`.as('events'),
    ])
    .executeTakeFirstOrThrow()
  return { refs: refs ?? [], events: events ?? [] }
}

const shownAttempts = 100

/** Selects the newest attempts of a run, newest first. */
export function selectAttempts(db: Db, runId: number): Promise<AttemptRow[]> {
  return db
    .selectFrom('workflow_run_attempts')
    .select(['run_id', 'number', 'actor_id', 'status', 'conclusion'])
    .select(['created_at', 'started_at', 'completed_at'])
    .where('run_id', '=', runId)
    .orderBy('number', 'desc')
    .limit(shownAttempts)
    .execute()
}

export function findDocument(db: Db, runId: number): Promise<{ document: string } | undefined> {
  return db.selectFrom('workflow_runs').select('document').where('id', '=', runId).executeTakeFirst()
}
