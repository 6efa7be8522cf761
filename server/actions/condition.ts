import type { Outputs } from './outputs'
import type { Before, JobState, Results, RunsAfter } from './status'
import type { RunRow } from './store'
import { type Contexts, createEvaluator, type Json, type StatusFunctions } from './workflow/expressions'

/** What a run was started with. */
export interface Start {
  /** What happened, in the shape of webhooks. */
  payload: Record<string, unknown>
  inputs: Contexts
  /** The variables that its workflow can read. */
  vars: Record<string, string>
}

/** What conditions of a run read besides its context. */
interface Known extends Start {
  /** Of jobs that completed, by the ids of the jobs in the workflow. */
  outputs: ReadonlyMap<string, Outputs>
}

/**
 * Decides whether jobs of a run start once the jobs before them have completed. Without a condition, they do if all of those
 * succeeded and the run was not canceled. Conditions can read the outputs of the jobs that they need. A condition that
 * cannot be evaluated is not met.
 */
export function conditionsOf(
  { context, cancelled_at }: Pick<RunRow, 'context'> & Partial<Pick<RunRow, 'cancelled_at'>>,
  { outputs = new Map(), ...start }: Partial<Known> = {},
): RunsAfter<JobState> {
  const contexts = contextsOf(context, start)
  let before: Before | undefined
  // As for steps: after a cancellation, nothing but that is true.
  const status: StatusFunctions = {
    success: () => !cancelled_at && (before?.haveSucceeded ?? true),
    failure: () => !cancelled_at && (before?.haveFailed ?? true),
    cancelled: () => Boolean(cancelled_at),
  }
  const evaluate = createEvaluator(status, maxEffort)
  const isMet = (condition: string): boolean => {
    if (condition === '') return status.success()
    let isOpen = false
    try {
      return isTrue(
        evaluate(condition, {
          ...contexts,
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
  // All jobs of a matrix have the same condition, which can be long.
  const known = new Map<string, boolean>()
  return ({ condition }, values) => {
    const key = JSON.stringify([
      condition,
      values && [...values.results, values.haveSucceeded, values.haveFailed],
    ])
    before = values
    const answer = known.get(key) ?? isMet(condition)
    known.set(key, answer)
    return answer
  }
}

/** What expressions of a run can read, besides `needs` and `matrix`. */
export function contextsOf(
  context: RunRow['context'],
  { payload = {}, inputs = {}, vars = {} }: Partial<Start>,
): Contexts {
  return { github: { ...context, event: payload as Contexts }, inputs, vars }
}

// Of one condition, in characters: some 10 ms, for which everybody waits.
const maxEffort = 5_000_000

const none: Outputs = {}

const needsOf = (results: Results, outputs: Known['outputs']): Json =>
  Object.fromEntries(
    [...results].map(([key, result]) => [key, { result, outputs: outputs.get(key) ?? none }]),
  )

// As GitHub does: 0 and the empty text are false, lists and mappings true.
const isTrue = (value: Json): boolean => Boolean(value)
