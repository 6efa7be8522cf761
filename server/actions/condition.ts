import type { Outputs } from './outputs'
import type { JobState, NeedResults, RunsAfter } from './status'
import type { RunRow } from './store'
import { type Contexts, createEvaluator, type Json } from './workflow/expressions'

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
  // All jobs of a matrix have the same condition, which can be long.
  const known = new Map<string, boolean>()
  return ({ condition }, results) => {
    const key = JSON.stringify([condition, ...results])
    const answer = known.get(key) ?? isMet(condition, results, { contexts, outputs })
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

function isMet(
  condition: string,
  results: NeedResults,
  { contexts, outputs }: { contexts: Contexts; outputs: Known['outputs'] },
): boolean {
  const status = statusFunctions(results)
  if (condition === '') return status.success()
  const needs = Object.fromEntries(
    [...results].map(([key, result]) => [key, { result, outputs: { ...outputs.get(key) } }]),
  )
  try {
    return isTrue(createEvaluator(status)(condition, { ...contexts, needs }))
  } catch {
    return false
  }
}

function statusFunctions(results: NeedResults) {
  const all = [...results.values()]
  return {
    success: () => all.every(result => result === 'success'),
    failure: () => all.includes('failure'),
    cancelled: () => all.includes('cancelled'),
  }
}

// As GitHub does: 0 and the empty text are false, lists and mappings true.
const isTrue = (value: Json): boolean => Boolean(value)
