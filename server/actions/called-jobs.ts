import type { Selectable } from 'kysely'
import type { Db } from '@/db/client'
import { anyOf } from '@/db/sql'
import type { CalledWorkflowsTable } from '@/db/tables/workflow-jobs'
import { isDomainError } from '@/server/kernel/errors'
import { changeJobs, endJobs, type RunChange } from './change-jobs'
import { contextsOf } from './condition'
import { contextOfRun } from './github-context'
import type { JobRow } from './job-store'
import { outputsByKey, storeOutputs } from './outputs'
import { conclusionOf, resultsOf, scopedKey } from './status'
import { findStart, type RunRow } from './store'
import { createEvaluator, type Json, textOf } from './workflow/expressions'
import { evaluateTemplate, type Template } from './workflow/template'

export type CalledWorkflow = Selectable<CalledWorkflowsTable>

/** Selects reusable workflows that a run has called, by ID. */
export async function selectCalled(db: Db, ids: readonly number[]): Promise<Map<number, CalledWorkflow>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('called_workflows')
    .selectAll()
    .where('id', '=', anyOf([...new Set(ids)]))
    .orderBy('id')
    .execute()
  return new Map(rows.map(row => [row.id, row]))
}

/**
 * Returns the jobs to cancel in order to cancel these jobs: a job that has called a reusable workflow stands
 * for the unfinished jobs of that workflow.
 */
export function leavesOf(all: readonly JobRow[], jobs: readonly JobRow[]): JobRow[] {
  return jobs.flatMap(job => {
    if (job.called_id === null) return [job]
    const own = all.filter(one => one.workflow_id === job.called_id && one.status !== 'completed')
    return leavesOf(all, own)
  })
}

/** Returns the jobs that call the workflow of a job, the nearest first. */
export function callersOf(all: readonly JobRow[], { workflow_id }: Pick<JobRow, 'workflow_id'>): JobRow[] {
  const caller = workflow_id === null ? undefined : all.find(({ called_id }) => called_id === workflow_id)
  return caller ? [caller, ...callersOf(all, caller)] : []
}

/**
 * Updates the jobs that have called reusable workflows to the progress of these, deepest first, and completes
 * them with the outputs of the workflow. Returns whether any has completed.
 */
export async function settleCallers(
  change: RunChange,
  run: RunRow,
  jobs: readonly JobRow[],
): Promise<boolean> {
  const callers = jobs.filter(({ called_id, status }) => called_id !== null && status !== 'completed')
  let isAny = false
  for (const caller of callers.sort((a, b) => b.position - a.position)) {
    const own = jobs.filter(({ workflow_id }) => workflow_id === caller.called_id)
    const conclusion = conclusionOf(own)
    if (conclusion) {
      const failure = await storeOutputsOf(change, run, caller, own)
      await endJobs(change, [caller.id], failure ?? { conclusion })
      isAny = true
    } else if (caller.status === 'waiting' && !caller.hold && own.some(hasBegun)) {
      await changeJobs(change, [caller.id], { status: 'in_progress', started_at: change.now })
    }
  }
  return isAny
}

const hasBegun = ({ started_at }: JobRow): boolean => started_at !== null

/** Stores the outputs of a reusable workflow as those of its caller. Returns how the caller ends if one fails. */
async function storeOutputsOf({ trx }: RunChange, run: RunRow, caller: JobRow, own: readonly JobRow[]) {
  const called = (await selectCalled(trx, [caller.called_id ?? 0])).get(caller.called_id ?? 0)
  const templates = Object.entries<Template>(called?.outputs ?? {})
  if (templates.length === 0) return undefined
  const outputs = await outputsByKey(
    trx,
    own.map(({ id }) => id),
  )
  const results = resultsOf(own)
  const jobs = own.map((job): [string, Json] => {
    const key = scopedKey(job, job.job_key)
    return [job.job_key, { result: results.get(key) ?? '', outputs: { ...outputs.get(key) } }]
  })
  const { payload, vars } = await findStart(trx, run.id)
  const contexts = {
    ...contextsOf(contextOfRun(run), { payload, vars, inputs: caller.call?.inputs ?? {} }),
    jobs: Object.fromEntries(jobs),
  }
  const reader = { evaluate: createEvaluator(undefined, maxEffort), contexts }
  try {
    const values = templates.map(([name, template]) => [name, textOf(evaluateTemplate(reader, template))])
    await storeOutputs(trx, run, caller.id, Object.fromEntries(values))
    return undefined
  } catch (error) {
    if (!isDomainError(error)) throw error
    return { conclusion: 'failure', reason: 'evaluation', message: error.message } as const
  }
}

// In characters read: the transaction that ends the last job must not take long.
const maxEffort = 5_000_000
