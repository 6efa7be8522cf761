import type { Outputs } from './outputs'
import type { Before, JobState, Results, RunsAfter } from './status'
import type { RunRow } from './store'
import { type Contexts, createEvaluator, type Json, type StatusFunctions } from './workflow/expressions'

/** Data that a run was started with. */
export interface Start {
  /** Payload of the event that started the run, in the shape of webhooks. */
  payload: Record<string, unknown>
  inputs: Contexts
  /** Variables that the run's workflow can read. */
  vars: Record<string, string>
}

/** Data that the conditions of a run read in addition to its context. */
interface Known extends Start {
  /** Outputs of completed jobs, by job ID in the workflow. */
  outputs: ReadonlyMap<string, Outputs>
}

/**
 * Returns a function that decides whether a job runs once the jobs that it needs have completed. A job
 * without a condition runs if they all succeeded and the run was not canceled. Conditions can read the
 * outputs of the jobs that they need. A condition that cannot be evaluated is not met.
 */
export function conditionsOf(
  { context, cancelled_at }: Pick<RunRow, 'context'> & Partial<Pick<RunRow, 'cancelled_at'>>,
  { outputs = new Map(), ...start }: Partial<Known> = {},
): RunsAfter<JobState> {
  const contexts = contextsOf(context, start)
  let before: Before | undefined
  // As for steps: after a cancellation, only `cancelled()` is true.
  const status: StatusFunctions = {
    success: () => !cancelled_at && (before?.haveSucceeded ?? true),
    failure: () => !cancelled_at && (before?.haveFailed ?? true),
    cancelled: () => Boolean(cancelled_at),
  }
  const evaluate = createEvaluator(status, maxEffort)
  const isMet = (condition: string, matrix: JobState['matrix']): boolean => {
    if (condition === '') return status.success()
    let isOpen = false
    try {
      return isTrue(
        evaluate(condition, {
          ...contexts,
          matrix: (matrix ?? {}) as Contexts,
          get needs() {
            if (before) return needsOf(before.results, outputs)
            isOpen = true
            throw new Error('the jobs before have not completed')
          },
        }),
      )
    } catch {
      return isOpen
    }
  }
  // All jobs of a matrix have the same condition, which can be long and seldom reads the matrix.
  const known = new Map<string, boolean>()
  return ({ condition, matrix }, values) => {
    const key = JSON.stringify([
      condition,
      /\bmatrix\b/i.test(condition) && matrix,
      values && [...values.results, values.haveSucceeded, values.haveFailed],
    ])
    before = values
    const answer = known.get(key) ?? isMet(condition, matrix)
    known.set(key, answer)
    return answer
  }
}

/** Returns the contexts that expressions of a run can read, except `needs` and `matrix`. */
export function contextsOf(
  context: RunRow['context'],
  { payload = {}, inputs = {}, vars = {} }: Partial<Start>,
): Contexts {
  return { github: { ...context, event: payload as Contexts }, inputs, vars }
}

// Limit for one condition, in characters read: about 10 ms, during which the main thread is blocked.
const maxEffort = 5_000_000

const none: Outputs = {}

const needsOf = (results: Results, outputs: Known['outputs']): Json =>
  Object.fromEntries(
    [...results].map(([key, result]) => [key, { result, outputs: outputs.get(key) ?? none }]),
  )

// As on GitHub, 0 and the empty string are false; lists and mappings are true.
const isTrue = (value: Json): boolean => Boolean(value)
