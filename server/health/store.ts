import { type Selectable, sql } from 'kysely'
import type { Db } from '@/db/client'
import type { JobRunsTable } from '@/db/tables/job-runs'
import type { Counted, SharedAddress } from './schema'

/** Maximum number of rows of a queue that are counted. */
export const maxCounted = 10_000

interface Waiting extends Counted {
  oldest: Date | null
}

const counted = (count: number): Counted => ({
  count: Math.min(count, maxCounted),
  isMore: count > maxCounted,
})

/** Returns the database's version and its size in bytes. */
export async function describeDatabase(db: Db): Promise<{ version: string; bytes: number }> {
  const { rows } = await sql<{ version: string; bytes: number }>`
    select current_setting('server_version') as version,
      pg_database_size(current_database()) as bytes`.execute(db)
  return rows[0]!
}

/**
 * Returns the number of events that a consumer has yet to handle. The creation time of the one with the lowest
 * ID counts as the oldest.
 */
export async function countWaitingEvents(db: Db, consumer: string): Promise<Waiting> {
  const { rows } = await sql<{ count: number; oldest: Date | null }>`
    select
      (select count(*) from (select from event_outbox where consumer = ${consumer} limit ${maxCounted + 1}) as counted) as count,
      (select created_at from events where id =
        (select event_id from event_outbox where consumer = ${consumer} order by event_id limit 1)) as oldest`.execute(
    db,
  )
  return { ...counted(rows[0]!.count), oldest: rows[0]!.oldest }
}

/**
 * Returns the number of webhook deliveries that wait for an attempt, and the time at which the first one was
 * due.
 */
export async function countPendingDeliveries(db: Db, now: Date): Promise<Waiting> {
  const { rows } = await sql<{ count: number; oldest: Date | null }>`
    select
      (select count(*) from (
        select from hook_deliveries where status = 'pending' limit ${maxCounted + 1}) as counted) as count,
      (select next_attempt_at from hook_deliveries where status = 'pending' and next_attempt_at <= ${now}
        order by next_attempt_at limit 1) as oldest`.execute(db)
  return { ...counted(rows[0]!.count), oldest: rows[0]!.oldest }
}

export async function countFailedDeliveries(db: Db, since: Date): Promise<Counted> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from hook_deliveries where status = 'failed' and created_at >= ${since}
      limit ${maxCounted + 1}) as counted`.execute(db)
  return counted(rows[0]!.count)
}

/**
 * Returns the number of workflow jobs that are ready for runners to claim, and the time at which the oldest
 * was queued.
 */
export async function countQueuedJobs(db: Db): Promise<Waiting> {
  const { rows } = await sql<{ count: number; oldest: Date | null }>`
    select
      (select count(*) from (
        select from workflow_jobs where status = 'queued' limit ${maxCounted + 1}) as counted) as count,
      (select queued_at from workflow_jobs where status = 'queued' order by queued_at, id limit 1) as oldest`.execute(
    db,
  )
  return { ...counted(rows[0]!.count), oldest: rows[0]!.oldest }
}

type RunRow = Omit<Selectable<JobRunsTable>, 'id'>

/** Returns the last run of each of these background jobs. Jobs that have never run are absent. */
export async function selectLastRuns(db: Db, jobs: readonly string[]): Promise<Map<string, RunRow>> {
  const { rows } = await sql<RunRow>`
    select last.* from unnest(${[...jobs]}::text[]) as wanted (name)
    cross join lateral (
      select job, started_at, ended_at, outcome, message from job_runs
      where job = wanted.name order by id desc limit 1) as last`.execute(db)
  return new Map(rows.map(row => [row.job, row]))
}

/**
 * Returns up to ten addresses from which at least `minAccounts` accounts signed in, among the newest 1,000
 * sessions. Addresses with the most accounts come first.
 */
export async function selectSharedAddresses(db: Db, minAccounts: number): Promise<SharedAddress[]> {
  const { rows } = await sql<SharedAddress>`
    select remote_address as address, count(distinct user_id)::int as accounts
    from (select remote_address, user_id from sessions order by id desc limit 1000) as newest
    group by remote_address having count(distinct user_id) >= ${minAccounts}
    order by accounts desc, address limit 10`.execute(db)
  return rows
}
