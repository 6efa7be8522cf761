import { isDomainError } from '@/server/kernel/errors'
import { contextsOf } from './condition'
import type { RunPlan } from './run-plan'
import { createEvaluator } from './workflow/expressions'
import { groupOf } from './workflow/groups'
import { titleOf } from './workflow/plan-run'

/** Whether a planned run has parts that are evaluated once it has its ID and number. */
export const hasLater = ({ later }: RunPlan): boolean => Boolean(later?.title ?? later?.concurrency)

// In characters read: the transaction that inserts the run must not take long.
const maxEffort = 1_000_000

/** Evaluates the title and concurrency group of a run. The run fails if an expression fails. */
export function evaluateLater(plan: RunPlan, { id, number }: { id: number; number: number }): RunPlan {
  const { title, concurrency } = plan.later ?? {}
  const run = { run_id: String(id), run_number: String(number), run_attempt: '1' }
  const context = { ...plan.context, workflow: plan.workflow_name, ...run }
  const reader = { evaluate: createEvaluator(undefined, maxEffort), contexts: contextsOf(context, plan) }
  try {
    return {
      ...plan,
      ...(title && { title: titleOf(reader, title) || plan.title }),
      ...(concurrency && { concurrency: groupOf(reader, concurrency, 'the workflow') }),
    }
  } catch (error) {
    if (!isDomainError(error)) throw error
    return { ...plan, jobs: [], error: error.message }
  }
}
