import type { Outputs } from './outputs'
import type { JobState, NeedResults, RunsAfter } from './status'
import type { RunRow } from './store'
import { createEvaluator, type Json } from './workflow/expressions'

/**
 * Decides whether jobs of a run start once the jobs that they need have completed. Without a condition, they do if all
 * of those succeeded. Conditions can read the outputs of those jobs. A condition that cannot be evaluated is not met.
 */
export function conditionsOf(
  { context }: Pick<RunRow, 'context'>,
  outputs: ReadonlyMap<string, Outputs> = new Map(),
): RunsAfter<JobState> {
  // All jobs of a matrix have the same condition, which can be long.
  const known = new Map<string, boolean>()
  return ({ condition }, results) => {
    const key = JSON.stringify([condition, ...results])
    const answer = known.get(key) ?? isMet(condition, results, { github: context, outputs })
    known.set(key, answer)
    return answer
  }
}

function isMet(
  condition: string,
  results: NeedResults,
  { github, outputs }: { github: RunRow['context']; outputs: ReadonlyMap<string, Outputs> },
): boolean {
  const status = statusFunctions(results)
  if (condition === '') return status.success()
  const needs = Object.fromEntries(
    [...results].map(([key, result]) => [key, { result, outputs: { ...outputs.get(key) } }]),
  )
  try {
    return isTrue(createEvaluator(status)(condition, { github, needs }))
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
