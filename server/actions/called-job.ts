import type { ServiceCtx } from '@/server/kernel/ctx'
import { isDomainError } from '@/server/kernel/errors'
import { type CalledWorkflow, callersOf, selectCalled } from './called-jobs'
import { contextsOf } from './condition'
import { contextOfRun } from './github-context'
import { type JobRow, selectJobs } from './job-store'
import type { RunSource } from './task-source'
import { createEvaluator, type Json, textOf } from './workflow/expressions'
import {
  entriesOf,
  evaluateTemplate,
  expressionsIn,
  type Reader,
  refusalAt,
  type Template,
} from './workflow/template'

/** What a job of a reusable workflow gets instead of what the jobs of the run's own workflow get. */
export interface CalledJob {
  workflow: CalledWorkflow
  /** Inputs as the runner gets them. */
  inputs: Record<string, string>
  /**
   * Returns the secrets that the calls above the job pass on, out of those of the run.
   * @throws {DomainError} unprocessable with the position of an expression that fails, without its values.
   */
  secrets(all: Record<string, string>, vars: Record<string, string>): Record<string, string>
  /** Expressions with which the calls above the job pass on secrets. */
  passing: string
}

/** Loads the reusable workflow of a job; undefined if the job belongs to the run's own workflow. */
export async function findCalledJob(
  { db }: Pick<ServiceCtx, 'db'>,
  { run, payload }: RunSource,
  job: JobRow,
): Promise<CalledJob | undefined> {
  if (job.workflow_id === null) return undefined
  const workflow = (await selectCalled(db, [job.workflow_id])).get(job.workflow_id)
  const callers = callersOf(await selectJobs(db, run.id, run.attempt), job)
  if (!workflow) return undefined
  const inputsOf = (index: number): Record<string, Json> => callers[index]?.call?.inputs ?? {}
  return {
    workflow,
    inputs: Object.fromEntries(Object.entries(inputsOf(0)).map(([name, value]) => [name, textOf(value)])),
    passing: callers.map(({ call }) => expressionsIn(call?.secrets)).join(''),
    secrets(all, vars) {
      let passed = all
      // From the outermost call to the one of this job.
      for (const [index, { call }] of [...callers.entries()].reverse()) {
        if (call?.inherits) continue
        const { secrets: template, contexts } = call ?? {}
        const start = { payload, vars, inputs: inputsOf(index + 1) }
        const known = { ...contextsOf(contextOfRun(run), start), ...contexts, secrets: passed }
        const reader = { evaluate: createEvaluator(), contexts: known }
        const entries = template ? entriesOf(reader, template, 'The secrets of a call') : []
        passed = Object.fromEntries(
          entries.map(([name, value]) => [name.toUpperCase(), textOf(secretOf(reader, name, value))]),
        )
      }
      return passed
    },
  }
}

// Messages of functions quote values.
function secretOf(reader: Reader, name: string, template: Template): Json {
  try {
    return evaluateTemplate(reader, template)
  } catch (error) {
    if (!isDomainError(error)) throw error
    throw refusalAt(template, `The expression for the secret '${name}' of a call fails.`)
  }
}
