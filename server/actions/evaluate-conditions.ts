import type { Db } from '@/db/client'
import { conditionsOf, decisionsOf, type EvaluateCondition } from './condition'
import { contextOfRun } from './github-context'
import type { JobRow } from './job-store'
import { type Outputs, outputsByKey } from './outputs'
import type { Decide } from './release'
import { scopedKey } from './status'
import { findStart, type RunRow } from './store'
import { UnreadInputs } from './unread-inputs'
import { expressionsOfJob } from './workflow/template'

/** Evaluates the expressions of a run's jobs. Data is loaded only if an expression reads it. */
export interface Conditions {
  /** Loads the outputs that the expressions of these jobs read. */
  prepare(evaluated: readonly JobRow[]): Promise<void>
  conditionOf: EvaluateCondition
  decide: Decide<JobRow>
}

/**
 * Loads the data that the expressions of unfinished jobs read and returns their evaluator.
 * @throws {UnreadInputs} if an expression reads inputs that are not stored yet; see `withInputs`.
 */
export async function createConditions(db: Db, run: RunRow, jobs: readonly JobRow[]): Promise<Conditions> {
  const outputs = new Map<string, Outputs>()
  const calls = new Map(jobs.flatMap(({ position, call }) => (call ? [[position, call.inputs]] : [])))
  const known = { ...(await startFor(db, run, jobs)), outputs, calls }
  const facts = { ...run, context: contextOfRun(run) }
  return {
    conditionOf: conditionsOf(facts, known),
    decide: decisionsOf(facts, known),
    async prepare(evaluated) {
      const read = new Set(
        evaluated.flatMap(job => (readsOutputs(job) ? job.needs.map(key => scopedKey(job, key)) : [])),
      )
      const isUnread = (key: string): boolean => read.has(key) && !outputs.has(key)
      const ids = jobs.filter(job => isUnread(scopedKey(job, job.job_key))).map(({ id }) => id)
      const found = await outputsByKey(db, ids)
      for (const key of read) outputs.set(key, outputs.get(key) ?? found.get(key) ?? {})
    },
  }
}

// Loaded only on demand, because few expressions read the payload, inputs or variables.
async function startFor(db: Db, { id }: RunRow, jobs: readonly JobRow[]) {
  const open = jobs.filter(({ status }) => status !== 'completed')
  const reads = /\b(event|inputs|vars|toJSON)\b|\b(github|gitea)\s*(\[|\.\s*\*)/i
  if (!open.some(job => reads.test(expressionsOf(job)))) return {}
  const { payload, vars, inputs } = await findStart(db, id)
  if (!inputs && payload.inputs) throw new UnreadInputs('the inputs of the run are not stored')
  return { payload, inputs: inputs ?? {}, vars }
}

// Matches any use of `needs` except the plain result of a job.
const readsOutputs = (job: JobRow): boolean =>
  /\bneeds\b/i.test(expressionsOf(job).replace(/\bneeds\s*\.\s*(\*|[\w-]+)\s*\.\s*result\b/gi, ''))

const expressionsOf = ({ condition, template }: JobRow): string =>
  template ? `${condition}\n${expressionsOfJob(template)}` : condition
