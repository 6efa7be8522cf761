import type { JobRow } from './job-store'
import type { Outputs } from './outputs'
import type { Decide } from './release'
import { type Before, type JobState, type Results, scopedKey } from './status'
import type { RunRow } from './store'
import {
  type Contexts,
  createEvaluator,
  type Json,
  type StatusFunctions,
  storable,
} from './workflow/expressions'
import { MatrixEffort } from './workflow/matrix'
import { resolveJob } from './workflow/resolve-job'

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
  /** Outputs of completed jobs, by scoped key. */
  outputs: ReadonlyMap<string, Outputs>
  /** Inputs of reusable workflows, by the position of the job that calls them. */
  calls: ReadonlyMap<number, Contexts>
}

/** What conditions read about a run: its context `github` without `event`, and whether it was canceled. */
export type RunFacts = Pick<RunRow, 'context'> & Partial<Pick<RunRow, 'cancelled_at'>>

/** Whether the condition of a job is met, or why it cannot be evaluated. */
export type Verdict = 'met' | 'unmet' | { error: string }

/**
 * Decides whether a job runs, given the outcomes of all jobs before it. If `before` is undefined because they
 * have not completed, the verdict is `met` unless the job cannot run whatever their outcomes.
 */
export type EvaluateCondition = (job: JobState, before: Before | undefined) => Verdict

/**
 * Returns a function that decides whether a job runs once the jobs that it needs have completed. A job without
 * a condition runs if they all succeeded and the run was not canceled. Conditions can read the outputs of the
 * jobs that they need.
 */
export function conditionsOf(run: RunFacts, known: Partial<Known> = {}): EvaluateCondition {
  const { outputs = new Map() } = known
  const { cancelled_at } = run
  const contextsFor = contextsByCall(run, known)
  let before: Before | undefined
  // As for steps: after a cancellation, only `cancelled()` is true.
  const status: StatusFunctions = {
    success: () => !cancelled_at && (before?.haveSucceeded ?? true),
    failure: () => !cancelled_at && (before?.haveFailed ?? true),
    cancelled: () => Boolean(cancelled_at),
  }
  const evaluate = createEvaluator(status, maxEffort)
  const evaluateOne = (job: JobState): Verdict => {
    const { condition, matrix } = job
    if (condition === '') return status.success() ? 'met' : 'unmet'
    let isOpen = false
    try {
      const value = evaluate(condition, {
        ...contextsFor(job),
        matrix: (matrix ?? {}) as Contexts,
        get needs() {
          if (before) return needsOf(job, before.results, outputs)
          isOpen = true
          throw new Error('the jobs before have not completed')
        },
      })
      return isTrue(value) ? 'met' : 'unmet'
    } catch (error) {
      return isOpen ? 'met' : { error: error instanceof Error ? error.message : String(error) }
    }
  }
  // All jobs of a matrix have the same condition, which can be long and seldom reads the matrix.
  const verdicts = new Map<string, Verdict>()
  return (job, values) => {
    const { condition, matrix, parent_position } = job
    const key = JSON.stringify([
      condition,
      parent_position,
      /\bmatrix\b/i.test(condition) && matrix,
      values && [...values.results, values.haveSucceeded, values.haveFailed],
    ])
    before = values
    const verdict = verdicts.get(key) ?? evaluateOne(job)
    verdicts.set(key, verdict)
    return verdict
  }
}

/** Job that can be released: it has a condition, and perhaps parts that are evaluated now. */
type Releasable = JobState & Pick<JobRow, 'template' | 'name'>

/**
 * Returns a function that decides what happens to a job whose needs have completed: it runs, evaluated with
 * their outputs, or it is skipped, or it fails because an expression fails.
 */
export function decisionsOf<Job extends Releasable>(run: RunFacts, known: Partial<Known> = {}): Decide<Job> {
  const conditionOf = conditionsOf(run, known)
  const evaluate = createEvaluator(undefined, maxEffort)
  const effort = new MatrixEffort()
  const { outputs = new Map() } = known
  const contextsFor = contextsByCall(run, known)
  return (job, before) => {
    const { template } = job
    // A condition that reads the matrix decides for each combination, once there are any.
    const isOfRows = template?.strategy !== undefined && /\bmatrix\b/i.test(job.condition)
    const verdict = isOfRows ? 'met' : conditionOf(job, before)
    if (verdict === 'unmet') return { end: 'skipped', ...reasonOf(job, before) }
    if (verdict !== 'met') return failedCondition(job, verdict)
    if (!template) return 'run'
    const contexts = {
      ...contextsFor(job),
      needs: before ? needsOf(job, before.results, outputs) : {},
    }
    try {
      const matrix = (job.matrix ?? null) as Record<string, Json> | null
      const rows = resolveJob({ evaluate, contexts }, { job_key: job.job_key, matrix, template }, effort)
      const verdicts = rows.map(({ matrix }) => (isOfRows ? conditionOf({ ...job, matrix }, before) : 'met'))
      const wrong = verdicts.find(verdict => typeof verdict === 'object')
      if (wrong) return failedCondition(job, wrong)
      const met = rows.filter((_, index) => verdicts[index] === 'met')
      return met.length > 0 ? { rows: met } : { end: 'skipped', ...reasonOf(job, before) }
    } catch (error) {
      return failed(error instanceof Error ? error.message : String(error))
    }
  }
}

const failed = (message: string) => ({
  end: 'failure' as const,
  reason: 'evaluation' as const,
  message: shortened(message),
})

const failedCondition = ({ job_key }: JobState, { error }: { error: string }) =>
  failed(`Error when evaluating 'if' for job '${job_key}': ${error}.`)

function reasonOf({ condition }: JobState, before: Before | undefined) {
  const [, own] = /^success\(\) && \((.*)\)$/s.exec(condition) ?? []
  const isOfNeeds = condition === '' || (own !== undefined && before?.haveSucceeded === false)
  if (isOfNeeds) return { reason: 'needs' as const, message: '' }
  return { reason: 'condition' as const, message: shortened(own ?? condition) }
}

const maxMessageLength = 1000

const shortened = (text: string): string =>
  storable(text.length > maxMessageLength ? `${text.slice(0, maxMessageLength - 1)}…` : text)

// Jobs of a reusable workflow read its inputs instead of those of the run.
function contextsByCall(run: RunFacts, { calls = new Map(), ...start }: Partial<Known>) {
  const own = contextsOf(run.context, start)
  const known = new Map<number, Contexts>()
  return ({ parent_position }: JobState): Contexts => {
    if (typeof parent_position !== 'number') return own
    const found = known.get(parent_position) ?? { ...own, inputs: calls.get(parent_position) ?? {} }
    known.set(parent_position, found)
    return found
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

const needsOf = (job: JobState, results: Results, outputs: Known['outputs']): Json =>
  Object.fromEntries(
    [...results].map(([key, result]) => [key, { result, outputs: outputs.get(scopedKey(job, key)) ?? none }]),
  )

// As on GitHub, 0 and the empty string are false; lists and mappings are true.
const isTrue = (value: Json): boolean => Boolean(value)
