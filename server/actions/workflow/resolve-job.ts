import type { Call, CallTemplate, Group, JobTemplate } from '@/db/tables/workflow-templates'
import { type Json, textOf } from './expressions'
import { groupOf } from './groups'
import { type Routing, routingOf } from './labels'
import { type Combination, type Expanded, expandMatrix, MatrixEffort, shownAgain } from './matrix'
import { maxCallLength, maxMatrixJobs, maxNameLength } from './run-limits'
import {
  entriesOf,
  evaluateTemplate,
  expressionsIn,
  type Reader,
  refusalAt,
  sourceOf,
  type Template,
  textAt,
} from './template'

/** What a job runs with, evaluated for one combination of its matrix. */
export interface ResolvedJob extends Routing {
  matrix: Combination | null
  name: string
  continue_on_error: boolean
  /** Whether a failure of the job cancels the other jobs of its matrix. */
  fail_fast: boolean
  /** Maximum number of jobs of its matrix that run at the same time; null without a limit. */
  max_parallel: number | null
  concurrency: Group | null
  /** Reusable workflow that the job calls; null if it has steps. */
  call: Call | null
  /** What still has to be evaluated when the job can start; null if there is nothing. */
  template: JobTemplate | null
}

/** Job to evaluate. */
export interface UnresolvedJob {
  job_key: string
  /** Combination of a matrix that has been expanded; null without one. */
  matrix: Combination | null
  template: JobTemplate
  /** Combination to keep instead of expanding the matrix again. */
  kept?: KeptCombination
}

/** Combination of a matrix in an earlier attempt. */
export interface KeptCombination {
  matrix: Combination | null
  /** Position of the combination in its matrix, and the number of combinations. */
  index: number
  total: number
}

/** Whether a part of a job cannot be evaluated yet. */
export type IsLater = (template: Template) => boolean

/**
 * Evaluates a job in GitHub's order: first its matrix, then everything else for each combination. A job whose
 * matrix cannot be evaluated yet remains one job.
 * @throws {DomainError} unprocessable with the position of the mistake or of an expression that fails.
 */
export function resolveJob(
  reader: Reader,
  job: UnresolvedJob,
  effort: MatrixEffort,
  isLater: IsLater = () => false,
): ResolvedJob[] {
  const { strategy, values, ...rest } = job.template
  if (values) return [resolveOne(reader, { ...job, template: { ...rest, values } }, isLater)]
  if (strategy && isLater(strategy) && !job.kept)
    return [{ ...resolveOne(reader, { ...job, template: rest }, () => true), template: job.template }]
  const { combinations, failFast, maxParallel } = expand(reader, strategy, job.kept ?? effort, isLater)
  const total = job.kept?.total ?? combinations.length
  return combinations.map((made, index) => {
    const own = {
      'fail-fast': failFast,
      'job-index': job.kept?.index ?? index,
      'job-total': total,
      'max-parallel': maxParallel ?? total,
    }
    return {
      ...resolveOne(
        reader,
        {
          ...job,
          matrix: made?.matrix ?? null,
          template: { ...rest, values: own, ...(made && { shown: made.shown }) },
        },
        isLater,
      ),
      max_parallel: maxParallel !== undefined && maxParallel < total ? maxParallel : null,
    }
  })
}

function expand(
  reader: Reader,
  strategy: Template | undefined,
  how: MatrixEffort | KeptCombination,
  isLater: IsLater,
): { combinations: (Expanded | null)[]; failFast: boolean; maxParallel: number | undefined } {
  const isKept = !(how instanceof MatrixEffort)
  const isUnknown = strategy && 'expression' in strategy && isLater(strategy)
  const entries = new Map(strategy && !isUnknown ? entriesOf(reader, strategy, 'The strategy') : [])
  const known = (key: string): Template | undefined => {
    const entry = entries.get(key)
    return entry && isLater(entry) ? undefined : entry
  }
  const [matrix, failFast, maxParallel] = [entries.get('matrix'), known('fail-fast'), known('max-parallel')]
  const combinations = isKept
    ? [how.matrix && { matrix: how.matrix, shown: shownAgain(matrix, how.matrix) }]
    : matrix
      ? expandMatrix(reader, matrix, how)
      : [null]
  return {
    combinations,
    failFast: failFast ? isTrue(evaluateTemplate(reader, failFast)) : true,
    maxParallel: maxParallel && countOf(reader, { at: strategy?.at, ...maxParallel }),
  }
}

function countOf(reader: Reader, template: Template): number | undefined {
  const value = evaluateTemplate(reader, template)
  if (value === null || value === '') return undefined
  const count = Number(value)
  if (Number.isInteger(count) && count >= 1) return Math.min(count, maxMatrixJobs)
  throw refusalAt(
    template,
    `The max-parallel value must be a whole number of at least 1, not '${textOf(value)}'.`,
  )
}

function resolveOne(
  { evaluate, contexts }: Reader,
  { job_key, matrix, template }: UnresolvedJob,
  isLater: IsLater,
): ResolvedJob {
  const { name, runsOn, continueOnError, concurrency, environment, call, values } = template
  const shown = template.shown ?? Object.values(matrix ?? {})
  const reader = { evaluate, contexts: { ...contexts, matrix: matrix ?? {}, strategy: { ...values } } }
  const parts = [name, runsOn, continueOnError, environment, call?.with, call?.secrets]
  const readsLater = parts.some(each => each && isLater(each))
  const isDone = !readsLater && !(concurrency && isLater(concurrency))
  if (environment && !isLater(environment)) evaluateTemplate(reader, environment)
  return {
    matrix,
    name: called(
      template,
      name && isLater(name) ? titled(job_key, shown) : nameOf(reader, job_key, name, shown),
    ),
    ...(!runsOn || isLater(runsOn) ? unknownRouting(runsOn) : routingOf(reader, runsOn, job_key)),
    call: call ? callOf(reader, call, isDone) : null,
    continue_on_error:
      continueOnError && !isLater(continueOnError)
        ? isTrue(evaluateTemplate(reader, continueOnError))
        : false,
    fail_fast: values?.['fail-fast'] === true && matrix !== null,
    max_parallel: null,
    concurrency: concurrency && isDone ? groupOf(reader, concurrency, `job '${job_key}'`) : null,
    template: isDone ? null : template,
  }
}

const called = ({ caller }: JobTemplate, name: string): string =>
  caller === undefined ? name : oneLine(`${caller} / ${name}`)

function callOf(reader: Reader, { with: inputs, ...call }: CallTemplate, isDone: boolean): Call {
  if (!isDone) return { ...call, inputs: {} }
  const values = (inputs ? evaluateTemplate(reader, inputs) : {}) as Call['inputs']
  const read = expressionsIn(call.secrets)
  const contexts = Object.fromEntries(
    ['needs', 'matrix', 'strategy'].flatMap(name =>
      new RegExp(`\\b${name}\\b`, 'i').test(read) ? [[name, reader.contexts[name] ?? {}]] : [],
    ),
  )
  // Both are stored with each job of a matrix.
  if (JSON.stringify([values, contexts]).length > maxCallLength)
    throw refusalAt(call, `A call can pass at most ${maxCallLength.toLocaleString('en-US')} characters.`)
  return { ...call, inputs: values, ...(call.secrets && { contexts }) }
}

// As on GitHub, a name that is the same for all combinations gets the matrix values appended.
function nameOf(reader: Reader, key: string, name: Template | undefined, shown: readonly Json[]): string {
  const own = name ? textAt(reader, name, `The name of job '${key}'`) : ''
  return own && name && 'expression' in name ? oneLine(own) : titled(own || key, shown)
}

function titled(own: string, shown: readonly Json[]): string {
  const values = shown.flatMap(leavesOf).filter(Boolean)
  return oneLine(values.length === 0 ? own : `${own} (${values.join(', ')})`)
}

const leavesOf = (value: Json): string[] =>
  value !== null && typeof value === 'object' ? Object.values(value).flatMap(leavesOf) : [textOf(value)]

// The labels are stored as written until they are known, so that pages can show them.
function unknownRouting(runsOn: Template | undefined): Routing {
  const labels = runsOn ? labelsIn(runsOn).map(sourceOf).filter(Boolean) : []
  return { labels, runner_group: null }
}

function labelsIn(runsOn: Template): Template[] {
  if ('items' in runsOn) return runsOn.items
  if ('value' in runsOn && Array.isArray(runsOn.value)) return runsOn.value.map(value => ({ value }))
  if (!('entries' in runsOn)) return [runsOn]
  return runsOn.entries.flatMap(([key, value]) => (key === 'labels' ? labelsIn(value) : []))
}

/** Whether labels of a job are stored as expressions, which have not been evaluated yet or never were. */
export const hasUnknownLabels = ({ labels, template }: Pick<ResolvedJob, 'labels' | 'template'>): boolean =>
  template?.runsOn !== undefined &&
  labelsIn(template.runsOn).some(each => 'expression' in each && labels.includes(sourceOf(each)))

// GitHub's documentation uses expressions that return nothing for some combinations.
const isTrue = (value: Json): boolean => value === true || value === 'true'

/** Returns a text as one line of limited length. */
export function oneLine(text: string): string {
  const letters = [
    ...text
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .toWellFormed(),
  ]
  return letters.length <= maxNameLength
    ? letters.join('')
    : `${letters.slice(0, maxNameLength - 1).join('')}…`
}
