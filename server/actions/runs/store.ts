import { sql } from 'kysely'
import type { Db } from '@/db/client'
import { type AttemptRow, attemptColumns, type RunRow } from '../store'

const newest = 1000

/** Selects the refs, events and workflows of a repository's newest runs. */
export async function selectRunFilters(
  db: Db,
  repositoryId: number,
): Promise<{ refs: string[]; events: string[]; workflows: string[] }> {
  const { refs, events, workflows } = await db
    .selectFrom(
      db
        .selectFrom('workflow_runs')
        .select(['ref', 'event', 'workflow_path'])
        .where('repository_id', '=', repositoryId)
        .orderBy('id', 'desc')
        .limit(newest)
        .as('newest'),
    )
    .select([
      sql<string[] | null>`array_agg(distinct ref)`.as('refs'),
      sql<string[] | null>`array_agg(distinct event)`.as('events'),
      sql<string[] | null>`array_agg(distinct workflow_path)`.as('workflows'),
    ])
    .executeTakeFirstOrThrow()
  return { refs: refs ?? [], events: events ?? [], workflows: workflows ?? [] }
}

const shownAttempts = 100

/** Selects the newest attempts of a run, newest first. */
export function selectAttempts(db: Db, runId: number): Promise<AttemptRow[]> {
  return db
    .selectFrom('workflow_run_attempts')
    .select(attemptColumns)
    .where('run_id', '=', runId)
    .orderBy('number', 'desc')
    .limit(shownAttempts)
    .execute()
}

/** Finds the run that a `workflow_run` event reported to start a run; undefined if none did or it was deleted. */
export async function findFollowedRun(
  db: Db,
  { id, repository_id, event }: Pick<RunRow, 'id' | 'repository_id' | 'event'>,
): Promise<Pick<RunRow, 'id' | 'number' | 'workflow_name'> | undefined> {
  if (event !== 'workflow_run') return undefined
  const { followed } = await db
    .selectFrom('workflow_runs')
    .select(sql<string | null>`payload #>> '{workflow_run,id}'`.as('followed'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (followed === null) return undefined
  return await db
    .selectFrom('workflow_runs')
    .select(['id', 'number', 'workflow_name'])
    .where('repository_id', '=', repository_id)
    .where('id', '=', Number(followed))
    .executeTakeFirst()
}

export function findDocument(db: Db, runId: number): Promise<{ document: string } | undefined> {
  return db.selectFrom('workflow_runs').select('document').where('id', '=', runId).executeTakeFirst()
}
