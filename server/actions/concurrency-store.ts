import type { Insertable, Selectable, Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { anyOf } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { ConcurrencyMembersTable } from '@/db/tables/workflow-jobs'

export type MemberRow = Selectable<ConcurrencyMembersTable>

const columns = [
  'concurrency_members.id',
  'concurrency_members.repository_id',
  'concurrency_members.run_id',
  'concurrency_members.job_id',
  'concurrency_members.key',
  'concurrency_members.name',
  'concurrency_members.is_holder',
  'concurrency_members.queues',
  'concurrency_members.created_at',
] as const

/** Selects the members of a group in the order in which they asked. */
export function selectMembers(db: Db, repositoryId: number, key: string): Promise<MemberRow[]> {
  return db
    .selectFrom('concurrency_members')
    .select(columns)
    .where('repository_id', '=', repositoryId)
    .where('key', '=', key)
    .orderBy('id')
    .execute()
}

/** Selects what a run and its jobs hold or wait for. */
export function selectMembersOfRun(db: Db, runId: number): Promise<MemberRow[]> {
  return db
    .selectFrom('concurrency_members')
    .select(columns)
    .where('run_id', '=', runId)
    .orderBy('id')
    .execute()
}

/** Selects the members of a run whose job has ended, or all of them if the run has. */
export function selectEndedMembers(db: Db, runId: number): Promise<MemberRow[]> {
  return db
    .selectFrom('concurrency_members')
    .innerJoin('workflow_runs', 'workflow_runs.id', 'concurrency_members.run_id')
    .leftJoin('workflow_jobs', 'workflow_jobs.id', 'concurrency_members.job_id')
    .select(columns)
    .where('concurrency_members.run_id', '=', runId)
    .where(({ eb, or }) =>
      or([eb('workflow_runs.status', '=', 'completed'), eb('workflow_jobs.status', '=', 'completed')]),
    )
    .orderBy('concurrency_members.id')
    .execute()
}

export async function insertMember(
  trx: Transaction<Database>,
  member: Insertable<ConcurrencyMembersTable>,
): Promise<void> {
  await trx.insertInto('concurrency_members').values(member).execute()
}

export async function deleteMembers(trx: Transaction<Database>, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await trx.deleteFrom('concurrency_members').where('id', '=', anyOf(ids)).execute()
}

export async function makeHolder(trx: Transaction<Database>, id: number): Promise<void> {
  await trx.updateTable('concurrency_members').set({ is_holder: true }).where('id', '=', id).execute()
}

/** Run or job that has a concurrency group for which something else waits. */
export interface HolderRow {
  /** Name of the group, as written by what waits. */
  name: string
  run_id: number
  /** Number of the run. */
  number: number
  job_id: number | null
  job_name: string | null
}

/** Selects who has the groups for which a run, or one of these jobs of it, waits. */
export function selectHolders(
  db: Db,
  { runId, jobIds }: { runId: number; jobIds: readonly number[] },
): Promise<HolderRow[]> {
  return db
    .selectFrom('concurrency_members as waiting')
    .innerJoin('concurrency_members as holder', join =>
      join
        .onRef('holder.repository_id', '=', 'waiting.repository_id')
        .onRef('holder.key', '=', 'waiting.key')
        .on('holder.is_holder', '=', true),
    )
    .innerJoin('workflow_runs as run', 'run.id', 'holder.run_id')
    .leftJoin('workflow_jobs as job', 'job.id', 'holder.job_id')
    .select(['waiting.name', 'holder.run_id', 'run.number', 'holder.job_id', 'job.name as job_name'])
    .where('waiting.run_id', '=', runId)
    .where('waiting.is_holder', '=', false)
    .where(({ eb, or }) => or([eb('waiting.job_id', 'is', null), eb('waiting.job_id', '=', anyOf(jobIds))]))
    .orderBy('waiting.id')
    .execute()
}

/** Member of a group, with its run and job. */
export interface GroupMemberRow extends HolderRow {
  key: string
  is_holder: boolean
}

const maxShown = 200

/** Selects the members of all groups that a run or its jobs are in, in the order in which they asked. */
export function selectGroupsOf(db: Db, runId: number): Promise<GroupMemberRow[]> {
  return db
    .selectFrom('concurrency_members as member')
    .innerJoin('workflow_runs as run', 'run.id', 'member.run_id')
    .leftJoin('workflow_jobs as job', 'job.id', 'member.job_id')
    .select(['member.key', 'member.name', 'member.is_holder', 'member.run_id', 'member.job_id'])
    .select(['run.number', 'job.name as job_name'])
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('concurrency_members as own')
          .select('own.id')
          .where('own.run_id', '=', runId)
          .whereRef('own.repository_id', '=', 'member.repository_id')
          .whereRef('own.key', '=', 'member.key'),
      ),
    )
    .orderBy('member.id')
    .limit(maxShown)
    .execute()
}
