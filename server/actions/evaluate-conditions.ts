import type { Db } from '@/db/client'
import { conditionsOf } from './condition'
import type { JobRow } from './job-store'
import { type Outputs, outputsByKey } from './outputs'
import type { RunsAfter } from './status'
import { findStart, type RunRow } from './store'
import { UnreadInputs } from './unread-inputs'

/** Evaluates the conditions of a run's jobs. Data is loaded only if a condition reads it. */
export interface Conditions {
  /** Loads the outputs that the conditions of these jobs read. */
  prepare(evaluated: readonly JobRow[]): Promise<void>
  runs: RunsAfter<JobRow>
}

/**
 * Loads the data that the conditions of unfinished jobs read and returns their evaluator.
 * @throws {UnreadInputs} if a condition reads inputs that are not stored yet; see `withInputs`.
 */
export async function createConditions(db: Db, run: RunRow, jobs: readonly JobRow[]): Promise<Conditions> {
  const outputs = new Map<string, Outputs>()
  const runs = conditionsOf(run, { ...(await startFor(db, run, jobs)), outputs })
  return {
    runs,
    async prepare(evaluated) {
      const read = new Set(evaluated.flatMap(job => (readsOutputs(job) ? job.needs : [])))
      const ids = jobs.filter(({ job_key }) => read.has(job_key) && !outputs.has(job_key)).map(({ id }) => id)
      const found = await outputsByKey(db, ids)
      for (const key of read) outputs.set(key, outputs.get(key) ?? found.get(key) ?? {})
    },
  }
}

// Loaded only on demand, because few conditions read the payload, inputs or variables.
async function startFor(db: Db, { id }: RunRow, jobs: readonly JobRow[]) {
  const open = jobs.filter(({ status }) => status !== 'completed')
  if (
    !open.some(({ condition }) =>
      /\b(event|inputs|vars|toJSON)\b|\b(github|gitea)\s*(\[|\.\s*\*)/i.test(condition),
    )
  )
    return {}
  const { payload, vars, inputs } = await findStart(db, id)
  if (!inputs && payload.inputs) throw new UnreadInputs('the inputs of the run are not stored')
  return { payload, inputs: inputs ?? {}, vars }
}

// Matches any use of `needs` except the plain result of a job.
const readsOutputs = ({ condition }: JobRow): boolean =>
  /\bneeds\b/i.test(condition.replace(/\bneeds\s*\.\s*(\*|[\w-]+)\s*\.\s*result\b/gi, ''))
