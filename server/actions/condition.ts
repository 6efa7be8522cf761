import type { RunConclusion } from '@/db/tables/workflow-runs'
import type { Outputs } from './outputs'
import type { JobState, NeedResults, RunsAfter } from './status'
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
 * Decides whether jobs of a run start once the jobs that they need have completed. Without a condition, they do if all
 * of those succeeded. Conditions can read the outputs of those jobs. A condition that cannot be evaluated is not met.
 */
export function conditionsOf(
  { context }: Pick<RunRow, 'context'>,
  { outputs = new Map(), ...start }: Partial<Known> = {},
): RunsAfter<JobState> {
  const contexts = contextsOf(context, start)
  let results: NeedResults = new Map()
  const status = statusFunctions(() => [...results.values()])
  const evaluate = createEvaluator(status)
  const isMet = (condition: string): boolean => {
    if (condition === '') return status.success()
    try {
      return isTrue(evaluate(condition, { ...contexts, needs: needsOf(results, outputs) }))
    } catch {
      return false
    }
  }
  // All jobs of a matrix have the same condition, which can be long.
  const known = new Map<string, boolean>()
  return ({ condition }, given) => {
    const key = JSON.stringify([condition, ...given])
    results = given
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

const none: Outputs = {}

const needsOf = (results: NeedResults, outputs: Known['outputs']): Json =>
  Object.fromEntries(
    [...results].map(([key, result]) => [key, { result, outputs: outputs.get(key) ?? none }]),
  )

const statusFunctions = (results: () => RunConclusion[]): StatusFunctions => ({
  success: () => results().every(result => result === 'success'),
  failure: () => results().includes('failure'),
  cancelled: () => results().includes('cancelled'),
})

// As GitHub does: 0 and the empty text are false, lists and mappings true.
const isTrue = (value: Json): boolean => Boolean(value)
