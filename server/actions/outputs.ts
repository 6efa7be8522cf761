import { sql, type Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { anyOf } from '@/db/sql'
import type { Database } from '@/db/tables'
import { jobsSince } from './job-store'
import { scopedKey } from './status'
import type { RunRow } from './store'
import { storable } from './workflow/expressions'

/** Outputs of a job, by name, which jobs that need it can read. */
export type Outputs = Readonly<Record<string, string>>

const maxNameLength = 255
const maxCount = 500
// GitHub's limits, counting names and values: for one job, and for all jobs of the latest attempt.
const maxJobBytes = 1024 * 1024
const maxRunBytes = 50 * 1024 * 1024

/**
 * Stores the outputs of a job that are not stored yet. The run must be locked. Outputs beyond the limits are
 * dropped, because the runner could not handle an error: 255 characters for a name, 500 outputs and 1 MiB for
 * a job, and 50 MiB for a run.
 */
export async function storeOutputs(
  trx: Transaction<Database>,
  run: Pick<RunRow, 'id' | 'attempt'>,
  jobId: number,
  outputs: Outputs,
): Promise<void> {
  const allOutputs = Object.entries(outputs)
    .map(([name, value]) => ({ name: storable(name), value: storable(value) }))
    .filter(({ name }) => name !== '' && name.length <= maxNameLength)
  if (allOutputs.length === 0) return
  const known = new Set(await namesOf(trx, jobId))
  const sizes = await sizesOf(trx, run)
  const total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0)
  const left = Math.min(maxJobBytes - (sizes.get(jobId) ?? 0), maxRunBytes - total)
  let stored = 0
  const fitting = allOutputs.filter(output => {
    if (known.has(output.name) || known.size >= maxCount || stored + bytesOf(output) > left) return false
    known.add(output.name)
    stored += bytesOf(output)
    return true
  })
  if (fitting.length === 0) return
  await trx
    .insertInto('workflow_job_outputs')
    .values(fitting.map(({ name, value }) => ({ job_id: jobId, name, value })))
    .execute()
  await trx
    .updateTable('workflow_jobs')
    .set(eb => ({ output_bytes: eb('output_bytes', '+', stored) }))
    .where('id', '=', jobId)
    .execute()
}

const bytesOf = ({ name, value }: { name: string; value: string }): number =>
  Buffer.byteLength(name) + Buffer.byteLength(value)

async function namesOf(trx: Transaction<Database>, jobId: number): Promise<string[]> {
  const rows = await trx
    .selectFrom('workflow_job_outputs')
    .select('name')
    .where('job_id', '=', jobId)
    .execute()
  return rows.map(({ name }) => name)
}

/** Returns the size in bytes of the outputs of each job in a run's latest attempt, by job ID. */
async function sizesOf(
  trx: Transaction<Database>,
  { id, attempt }: Pick<RunRow, 'id' | 'attempt'>,
): Promise<Map<number, number>> {
  const rows = await trx
    .selectFrom('workflow_jobs')
    .select(['id', 'output_bytes'])
    .distinctOn('position')
    .where('run_id', '=', id)
    .where('attempt', '<=', attempt)
    .where('attempt', '>=', jobsSince(id, attempt))
    .orderBy('position')
    .orderBy('attempt', 'desc')
    .execute()
  return new Map(rows.map(row => [row.id, row.output_bytes]))
}

/**
 * Loads the outputs of jobs, by scoped key. The jobs of a matrix share one ID: as on GitHub, their
 * outputs add up, and of several values for one output, that of the job that completed last is used. An empty
 * value counts only if there is no other.
 */
export async function outputsByKey(db: Db, jobIds: readonly number[]): Promise<Map<string, Outputs>> {
  if (jobIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('workflow_job_outputs')
    .innerJoin('workflow_jobs', 'workflow_jobs.id', 'workflow_job_outputs.job_id')
    .select(['job_key', 'parent_position', 'workflow_job_outputs.name', 'value'])
    .distinctOn(['parent_position', 'job_key', sql`workflow_job_outputs.name`])
    .where('job_id', '=', anyOf(jobIds))
    .orderBy('parent_position')
    .orderBy('job_key')
    .orderBy('workflow_job_outputs.name')
    .orderBy(sql`value <> ''`, 'desc')
    .orderBy('completed_at', order => order.desc().nullsLast())
    .orderBy('position', 'desc')
    .execute()
  const byKey = new Map<string, [string, string][]>()
  for (const { name, value, ...job } of rows) {
    const key = scopedKey(job, job.job_key)
    const entries = byKey.get(key)
    if (entries) entries.push([name, value])
    else byKey.set(key, [[name, value]])
  }
  return new Map([...byKey].map(([key, entries]) => [key, Object.fromEntries(entries)]))
}
