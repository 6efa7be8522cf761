import type { Db } from '@/db/client'
import { callersOf } from './called-jobs'
import { lossBy } from './concurrency'
import { type GroupMemberRow, selectGroupsOf, selectHolders } from './concurrency-store'
import { type JobRow, selectJobs } from './job-store'
import type { RunPageAnswer, ShownGroup } from './runs/schema'
import { findRunId, type RunRow } from './store'

/**
 * Explains in one sentence for which concurrency group a job, a job that calls its workflow, or its run waits, and
 * who has it; undefined if none of them waits for one.
 */
export async function explainGroup(
  db: Db,
  job: Pick<JobRow, 'id' | 'run_id' | 'attempt' | 'workflow_id'>,
): Promise<string | undefined> {
  const { id, run_id, attempt, workflow_id } = job
  const callers = workflow_id === null ? [] : callersOf(await selectJobs(db, run_id, attempt), job)
  const [found] = await selectHolders(db, { runId: run_id, jobIds: [id, ...callers.map(each => each.id)] })
  if (!found) return undefined
  const { name, number, job_name } = found
  const run = found.run_id === run_id ? 'this run' : `run #${number}`
  const holder = job_name === null ? run : `${job_name} of ${run}`
  return `The concurrency group ${name} is in use by ${holder}.`
}

/** Returns the concurrency groups of a run and its jobs, with everything that has them or waits for them. */
export async function groupsOf(db: Db, runId: number): Promise<ShownGroup[]> {
  const groups = new Map<string, ShownGroup>()
  for (const { key, name, is_holder, ...member } of await selectGroupsOf(db, runId)) {
    const group = groups.get(key) ?? { name, holder: null, waiting: [] }
    groups.set(key, group)
    if (is_holder) group.holder = viewMember(member)
    else group.waiting.push(viewMember(member))
  }
  return [...groups.values()]
}

/** Returns how an attempt of a run lost its place in its concurrency group; null if it did not. */
export async function lostGroupOf(
  db: Db,
  run: RunRow,
  jobs: readonly JobRow[],
): Promise<RunPageAnswer['lost_group']> {
  const { concurrency: group, repository_id } = run
  if (!group) return null
  const [loss] = jobs.flatMap(job => (job.status === 'completed' && lossBy(group, job)) || [])
  if (!loss) return null
  const { by, ...rest } = loss
  const id = by === null ? undefined : await findRunId(db, repository_id, by)
  return { ...rest, by: by === null ? null : { id: id ?? null, number: by } }
}

const viewMember = ({
  run_id,
  number,
  job_id,
  job_name,
}: Omit<GroupMemberRow, 'key' | 'name' | 'is_holder'>) => ({
  run: { id: run_id, number },
  job: job_id === null ? null : { id: job_id, name: job_name ?? '' },
})
