import type { Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { anyOf } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { JobRow } from './job-store'
import { storable } from './workflow/expressions'

/** What a job hands to the jobs that need it, by name. */
export type Outputs = Readonly<Record<string, string>>

const maxNameLength = 255
// In bytes.
const maxValue = 1024 * 1024
// Of one job.
const maxOutputs = 500
const maxTotal = 16 * 1024 * 1024

/**
 * Stores outputs of a job that it has not set yet. Those beyond the limits are left out, as the runner could not do
 * anything about it: a name of 255 characters, a value of 1 MiB, and 500 outputs of 16 MiB for each job.
 */
export async function storeOutputs(
  trx: Transaction<Database>,
  jobId: number,
  outputs: Outputs,
): Promise<void> {
  const given = Object.entries(outputs)
    .map(([name, value]) => ({ name: storable(name), value: storable(value) }))
    .filter(({ name, value }) => name !== '' && name.length <= maxNameLength && bytesOf(value) <= maxValue)
  if (given.length === 0) return
  const { count, bytes } = await trx
    .selectFrom('workflow_job_outputs')
    .select(({ fn, eb }) => [
      fn.countAll<number>().as('count'),
      eb.fn.coalesce(eb.fn.sum<number>(eb.fn('octet_length', ['value'])), eb.lit(0)).as('bytes'),
    ])
    .where('job_id', '=', jobId)
    .executeTakeFirstOrThrow()
  let left = { count: maxOutputs - Number(count), bytes: maxTotal - Number(bytes) }
  const fitting = given.filter(({ value }) => {
    const after = { count: left.count - 1, bytes: left.bytes - bytesOf(value) }
    if (after.count < 0 || after.bytes < 0) return false
    left = after
    return true
  })
  if (fitting.length === 0) return
  await trx
    .insertInto('workflow_job_outputs')
    .values(fitting.map(({ name, value }) => ({ job_id: jobId, name, value })))
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

const bytesOf = (text: string): number => Buffer.byteLength(text)

async function selectOutputs(db: Db, jobIds: readonly number[]): Promise<Map<number, Outputs>> {
  const rows = await db
    .selectFrom('workflow_job_outputs')
    .select(['job_id', 'name', 'value'])
    .where('job_id', '=', anyOf(jobIds))
    .orderBy('name')
    .execute()
  const byJob = new Map<number, Record<string, string>>()
  for (const { job_id, name, value } of rows) byJob.set(job_id, { ...byJob.get(job_id), [name]: value })
  return byJob
}

/**
 * The outputs of jobs by their ids in the workflow. All jobs of a matrix share one id: of outputs with one name, that of
 * the last job in the matrix that set it counts.
 */
export async function outputsByKey(
  db: Db,
  jobs: readonly Pick<JobRow, 'id' | 'job_key' | 'position'>[],
): Promise<Map<string, Outputs>> {
  const byJob = await selectOutputs(
    db,
    jobs.map(({ id }) => id),
  )
  const byKey = new Map<string, Outputs>()
  for (const { id, job_key } of [...jobs].sort((a, b) => a.position - b.position)) {
    byKey.set(job_key, { ...byKey.get(job_key), ...byJob.get(id) })
  }
  return byKey
}
