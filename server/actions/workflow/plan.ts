import { isMapping } from '@actions/workflow-parser'
import { type Contexts, createEvaluator, type Json, storable, textOf } from './expressions'
import type { PlannedJob } from './first-jobs'
import { maxJobs } from './limits'
import { literalOf, type Reader, textAt } from './literals'
import { type Combination, expandMatrix, MatrixEffort } from './matrix'
import { entryOf, type OwnJob, type Workflow } from './read'
import { refusal } from './refusal'

/** Plan of a run that a workflow describes. */
export interface WorkflowPlan {
  /** Name of the workflow; empty if it has none. */
  name: string
  /** Title of the run; empty if the workflow has none. */
  title: string
  jobs: PlannedJob[]
}

const maxNameLength = 255
export const maxLabels = 50
export const maxNeeds = 256
/** Maximum number of needs of all jobs of a run together. */
export const maxAllNeeds = 20_000
export const maxConditionLength = 4096
/** Maximum length of all matrices of a run together, as JSON. */
export const maxMatrixLength = 2 * 1024 * 1024

/**
 * Plans the jobs of a run, one for each combination of a matrix. Expressions in names, labels and matrices
 * can read these contexts; names and labels can also read `matrix`. Expressions in conditions are evaluated
 * once the job could start.
 * @throws {DomainError} unprocessable with the line and column of a mistake, or naming a limit.
 */
export function planWorkflow(workflow: Workflow, contexts: Contexts): WorkflowPlan {
  const reader: Reader = { evaluate: createEvaluator(), contexts }
  const jobs: PlannedJob[] = []
  const effort = new MatrixEffort()
  let matrixLength = 0
  let needs = 0
  for (const job of workflow.jobs) {
    const combinations = expandMatrix(reader, job.strategy, effort) ?? [null]
    for (const made of combinations) {
      matrixLength += made ? JSON.stringify(made).length : 0
      if (matrixLength > maxMatrixLength) throw refusal(job.id, "The run's matrices contain too much text.")
    }
    jobs.push(...planJob(reader, job, combinations))
    if (jobs.length > maxJobs) throw refusal(job.id, `The run would have more than ${maxJobs} jobs.`)
    needs += combinations.length * (job.needs?.length ?? 0)
    if (needs > maxAllNeeds)
      throw refusal(
        job.id,
        `The run's jobs have more than ${maxAllNeeds.toLocaleString('en-US')} dependencies in total.`,
      )
  }
  return {
    name: workflow.name ? oneLine(textAt(reader, workflow.name)) : '',
    title: workflow.runName ? oneLine(textAt(reader, workflow.runName)) : '',
    jobs,
  }
}

function planJob(
  { evaluate, contexts }: Reader,
  job: OwnJob,
  combinations: readonly (Combination | null)[],
): PlannedJob[] {
  const needs = [...new Set((job.needs ?? []).map(({ value }) => value))]
  if (needs.length > maxNeeds)
    throw refusal(job.id, `Job '${job.id.value}' depends on more than ${maxNeeds} jobs.`)
  const condition = job.if.expression === 'success()' ? '' : storable(job.if.expression)
  if (condition.length > maxConditionLength) {
    throw refusal(job.if, `The condition must be at most ${maxConditionLength} characters.`)
  }
  const { 'continue-on-error': continues } = job
  return combinations.map(matrix => {
    const reader = { evaluate, contexts: { ...contexts, matrix: matrix ?? {} } }
    return {
      job_key: job.id.value,
      matrix,
      name: nameOf(reader, job, matrix),
      needs,
      labels: labelsOf(reader, job),
      condition,
      continue_on_error: continues ? literalOf(reader, continues) === true : false,
      permissions: job.permissions,
    }
  })
}

// As on GitHub, a name that is the same for all combinations gets the matrix values appended.
function nameOf(reader: Reader, job: OwnJob, matrix: Combination | null): string {
  const own = (job.name && textAt(reader, job.name)) || job.id.value
  const values = matrix ? Object.values(matrix).map(textOf).filter(Boolean) : []
  const isDistinct = values.length === 0 || job.name?.isExpression
  return oneLine(isDistinct ? own : `${own} (${values.join(', ')})`)
}

function labelsOf(reader: Reader, { id, 'runs-on': runsOn }: OwnJob): string[] {
  if (!runsOn) throw refusal(id, `Job '${id.value}' has no runs-on.`)
  const token = isMapping(runsOn) ? entryOf(runsOn, 'labels') : runsOn
  const value: Json = token ? literalOf(reader, token) : []
  const labels = (Array.isArray(value) ? value : [value]).map(textOf).filter(Boolean)
  if (labels.length === 0 && !isMapping(runsOn)) {
    throw refusal(
      runsOn,
      `The runs-on value of job '${id.value}' is empty. Expressions here can only use github and matrix.`,
    )
  }
  if (labels.length > maxLabels || labels.some(label => label.length > maxNameLength)) {
    const most = `${maxLabels} labels of ${maxNameLength} characters`
    throw refusal(runsOn, `The runs-on value of job '${id.value}' has more than ${most}.`)
  }
  return labels
}

function oneLine(text: string): string {
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
