import type { Group } from '@/db/tables/workflow-templates'
import { isDomainError } from '@/server/kernel/errors'
import { type Contexts, createEvaluator } from './expressions'
import type { PlannedJob } from './first-jobs'
import { groupOf } from './groups'
import { jobTemplateOf, type WorkflowJob } from './job-template'
import { isLater } from './later'
import { MatrixEffort } from './matrix'
import { type RunTemplate, titleOf } from './plan-run'
import type { OwnJob, Workflow } from './read'
import { refusal } from './refusal'
import { type KeptCombination, oneLine, type ResolvedJob, resolveJob } from './resolve-job'
import { maxAllNeeds, maxJobs, maxMatrixJobs, maxMatrixLength } from './run-limits'
import { expressionsIn, type Reader, type Template, textAt } from './template'
import { templateOf } from './tokens'

/** Plan of a run that a workflow describes. */
export interface WorkflowPlan {
  /** Name of the workflow; empty if it has none. */
  name: string
  /** Title of the run; empty if the workflow has none. */
  title: string
  concurrency: Group | null
  /** What can only be evaluated once the run has its ID and number. */
  later: RunTemplate
  jobs: PlannedJob[]
}

/** Where the jobs of a reusable workflow belong in the run that calls it. */
export interface CallerOptions {
  /** Name of the job that calls the workflow. */
  caller?: string
  /** Position of the first job. */
  position?: number
}

interface PlanOptions extends CallerOptions {
  /** Jobs to plan again, exactly these, with their combinations. */
  known?: readonly KnownJob[]
}

/** Job of an earlier attempt that is planned again. */
export interface KnownJob extends KeptCombination {
  job_key: string
  position: number
  /** Whether the job stands for a matrix that was not expanded. */
  isUnexpanded: boolean
}

/**
 * Plans the jobs of a run, one for each combination of a matrix. What reads the outcomes of other jobs, or the
 * ID or number of the run, is evaluated later.
 * @throws {DomainError} unprocessable with the line and column of a mistake, or naming a limit.
 */
export function planWorkflow(
  workflow: Workflow,
  contexts: Contexts,
  { known, ...caller }: PlanOptions = {},
): WorkflowPlan {
  const reader: Reader = { evaluate: createEvaluator(), contexts }
  const { runName, concurrency } = workflow
  const title = runName && templateOf(runName)
  const group = concurrency && templateOf(concurrency)
  const isStored =
    typeof contexts.github === 'object' && contexts.github !== null && 'run_id' in contexts.github
  const isTitleLater = title && !isStored && isLater(title)
  const isGroupLater = group && !isStored && isLater(group)
  return {
    name: workflow.name ? oneLine(textAt(reader, templateOf(workflow.name), 'The name of the workflow')) : '',
    title: title && !isTitleLater ? titleOf(reader, title) : '',
    concurrency: group && !isGroupLater ? groupOf(reader, group, 'the workflow') : null,
    later: { ...(isTitleLater && { title }), ...(isGroupLater && { concurrency: group }) },
    jobs: known ? planAgain(reader, workflow, known, caller) : planJobs(reader, workflow, caller),
  }
}

function planJobs(reader: Reader, workflow: Workflow, { caller, position = 0 }: CallerOptions): PlannedJob[] {
  const jobs: PlannedJob[] = []
  const effort = new MatrixEffort()
  let matrixLength = 0
  let needs = 0
  for (const [index, own] of workflow.jobs.entries()) {
    const job = jobTemplateOf(own, caller)
    const resolved = resolve(reader, job, effort)
    matrixLength += resolved.reduce(
      (sum, { matrix }) => sum + (matrix ? JSON.stringify(matrix).length : 0),
      0,
    )
    if (matrixLength > maxMatrixLength) throw refusal(own.id, "The run's matrices contain too much text.")
    jobs.push(...resolved.map((each, at) => plannedOf(job, each, position + index * maxMatrixJobs + at)))
    if (jobs.length > maxJobs) throw refusal(own.id, `The run would have more than ${maxJobs} jobs.`)
    needs += resolved.length * job.needs.length
    if (needs > maxAllNeeds)
      throw refusal(
        own.id,
        `The run's jobs have more than ${maxAllNeeds.toLocaleString('en-US')} dependencies in total.`,
      )
  }
  return jobs
}

// As on GitHub, a job that might not run fails by itself if an expression of it fails once it can start.
function resolve(
  reader: Reader,
  job: WorkflowJob,
  effort: MatrixEffort,
  kept?: KeptCombination,
): ResolvedJob[] {
  const unresolved = { job_key: job.key, matrix: null, template: job.template, ...(kept && { kept }) }
  try {
    return resolveJob(reader, unresolved, effort, isLater)
  } catch (error) {
    const isConditional = job.needs.length > 0 || job.condition !== ''
    if (!isConditional || !isDomainError(error) || !hasExpressions(job)) throw error
    return resolveJob(reader, unresolved, effort, hasExpression)
  }
}

const hasExpression = (template: Template): boolean => expressionsIn(template) !== ''
const hasExpressions = ({ template }: WorkflowJob): boolean =>
  [
    template.name,
    template.runsOn,
    template.strategy,
    template.continueOnError,
    template.environment,
    template.call?.with,
  ].some(each => each && hasExpression(each))

function planAgain(
  reader: Reader,
  { jobs }: Workflow,
  known: readonly KnownJob[],
  { caller }: CallerOptions,
): PlannedJob[] {
  const templates = new Map(jobs.map((own: OwnJob) => [own.id.value, jobTemplateOf(own, caller)]))
  return known.flatMap(({ job_key, position, ...before }) => {
    const job = templates.get(job_key)
    if (!job) return []
    const [made] = resolve(reader, job, new MatrixEffort(), before.isUnexpanded ? undefined : before)
    return made ? [plannedOf(job, made, position)] : []
  })
}

const plannedOf = (
  { key, needs, condition, permissions }: WorkflowJob,
  resolved: ResolvedJob,
  position: number,
): PlannedJob => ({ ...resolved, job_key: key, needs, condition, permissions, position })
