import type { Call } from '@/db/tables/workflow-templates'
import { isDomainError, unprocessable } from '@/server/kernel/errors'
import type { RequestedPermissions } from '@/server/kernel/job-permissions'
import { contextsOf, type Start } from '../../condition'
import type { RunRow } from '../../store'
import { callInputs } from '../call-inputs'
import { nextTime, type Schedule } from '../cron'
import { parseWorkflow, payloadOf, stepNames } from '../cut'
import { canStart } from '../events'
import { asksFor, type ChangedPaths, type Happening } from '../filter'
import { firstJobs, type NewJob, type PlannedJob, waitingJob } from '../first-jobs'
import { dispatchInputs, inputsOf } from '../inputs'
import { shortMessages } from '../mistakes'
import { narrowPermissions } from '../permissions'
import { type KnownJob, planWorkflow, type WorkflowPlan } from '../plan'
import { namedWorkflow, readWorkflow, type Workflow } from '../read'
import { refusalAt } from '../template'
import { eventWarnings, jobWarnings } from '../warnings'

interface PlanInput {
  document: string
  path: string
  context: RunRow['context']
  /** Absent if no event starts the run. */
  start?: Pick<Start, 'payload' | 'vars'>
}

interface PlanAgainInput extends PlanInput {
  /** Jobs to plan again; without them, all jobs are expanded anew. */
  known?: readonly KnownJob[]
  /** Inputs and caller of a reusable workflow. */
  inputs?: Start['inputs']
  caller?: string
  /** What the calling job requests for its token. */
  permissions?: RequestedPermissions | null
}

interface PlanCallInput extends Omit<PlanInput, 'start'> {
  start: Pick<Start, 'payload' | 'vars'>
  call: Call
  caller: string
  /** What the calling job requests for its token. */
  permissions: RequestedPermissions | null
  position: number
}

interface Planned extends Omit<WorkflowPlan, 'jobs'> {
  jobs: NewJob[]
  inputs: Start['inputs']
  /** Mistakes that do not keep the run from starting, and what has no effect. */
  warnings: string[]
}

interface CutInput {
  document: string
  job: Parameters<typeof payloadOf>[1]
  labels: readonly string[]
  /** Name of the run's workflow. */
  name: string
  isDispatched?: boolean
}

// Several questions about the same workflow usually follow each other.
let last: { document: string; workflow: Promise<Workflow> } | undefined

function read(document: string): Promise<Workflow> {
  if (last?.document !== document) last = { document, workflow: readWorkflow(document) }
  return last.workflow
}

/** Operations that the thread offers. Inputs and results are plain data. */
export const operations = {
  async plan({ document, path, context, start }: PlanInput): Promise<Planned> {
    const workflow = await read(document)
    const inputs = start ? inputsOf(document, start.payload) : {}
    const own = { run_attempt: '1', ...context, workflow: workflow.name?.toString() || path }
    const plan = planWorkflow(workflow, contextsOf(own, { ...start, inputs }))
    // A run that may have to wait for its concurrency group must not have queued jobs before it has the group.
    const waits = plan.concurrency !== null || plan.later.concurrency !== undefined
    const jobs = waits
      ? plan.jobs.map(waitingJob)
      : firstJobs(plan.jobs, { context: own }, { ...start, inputs })
    return { ...plan, jobs, inputs, warnings: warningsOf(workflow) }
  },

  /** Plans jobs for another attempt of a run, all of which wait. */
  async planAgain({ document, path, context, start, known, caller, permissions, ...rest }: PlanAgainInput) {
    const workflow = await read(document)
    const inputs = rest.inputs ?? (start ? inputsOf(document, start.payload) : {})
    const own = rest.inputs ? context : { ...context, workflow: workflow.name?.toString() || path }
    const options = { ...(known && { known }), ...(caller !== undefined && { caller }) }
    const { jobs, concurrency } = planWorkflow(workflow, contextsOf(own, { ...start, inputs }), options)
    const allowed = permissions === undefined ? jobs : jobs.map(within(permissions))
    return { jobs: allowed.map(waitingJob), concurrency }
  },

  /** Plans the jobs of a reusable workflow for a call, all of which wait. */
  async planCall({ document, path, context, start, call, caller, permissions, position }: PlanCallInput) {
    const workflow = await read(document).catch(error => {
      throw inFile(path, error)
    })
    const { call: definition } = workflow
    if (!definition) throw refusalAt(call, `The workflow ${path} does not have a "workflow_call" trigger.`)
    const contexts = contextsOf(context, { ...start, inputs: {} })
    const inputs = callInputs(definition, call, contexts)
    try {
      const { jobs, concurrency } = planWorkflow(workflow, { ...contexts, inputs }, { caller, position })
      const allowed = jobs.map(within(permissions)).map(waitingJob)
      return { jobs: allowed, concurrency, inputs, outputs: definition.outputs }
    } catch (error) {
      throw inFile(path, error)
    }
  },

  async asksFor(input: { document: string; happening: Happening; changed?: ChangedPaths }) {
    return asksFor((await read(input.document)).events, input.happening, input.changed)
  },

  /** Returns the name and events of a workflow; undefined if it cannot be read at all. */
  summarize: ({ document }: { document: string }) => namedWorkflow(document),

  /** Returns the mistakes in events of a workflow, which must be valid otherwise, and events without effect. */
  async checkEvents({ document }: { document: string }): Promise<EventCheck> {
    const workflow = await read(document)
    const { events } = workflow
    return {
      mistakes: shortMessages(described(workflow)),
      warnings: eventWarnings(events),
      canStart: canStart(events),
    }
  },

  dispatchInputs: ({ document }: { document: string }) => dispatchInputs(document),

  /** Like `dispatchInputs`, but requires that the workflow can be started manually as far as it is valid. */
  async validInputs({ document }: { document: string }) {
    const { events } = await read(document)
    const mistakes = events.mistakes.filter(({ event }) => event === 'workflow_dispatch')
    if (mistakes.length > 0)
      throw unprocessable(mistakes.map(({ message }) => message).join('\n'), { field: 'workflow' })
    return dispatchInputs(document)
  },

  typedInputs: ({ document, payload }: { document: string; payload: Start['payload'] }) =>
    inputsOf(document, payload),

  async schedules({ document }: { document: string }): Promise<Schedule[]> {
    return (await read(document)).events.schedules
  },

  /** Returns the next time of each schedule in milliseconds; null if there is none. */
  nextTimes: ({ schedules, after }: { schedules: readonly Schedule[]; after: number }): (number | null)[] =>
    schedules.map(each => nextTime(each, new Date(after))?.getTime() ?? null),

  /** Returns the step names of these jobs, in their order. */
  stepNames({ document, jobKeys }: { document: string; jobKeys: readonly string[] }): string[][] {
    const parsed = parseWorkflow(document)
    return jobKeys.map(key => stepNames(parsed, key))
  },

  cut: ({ document, job, ...options }: CutInput) => payloadOf(parseWorkflow(document), job, options),
}

export type Operations = typeof operations

/** What is wrong with the events of a workflow, with line and column, and whether any of them can start it. */
export interface EventCheck {
  mistakes: string[]
  warnings: string[]
  canStart: boolean
}

// Permissions only narrow from one workflow to the next.
const within =
  (caller: RequestedPermissions | null) =>
  (job: PlannedJob): PlannedJob => ({ ...job, permissions: narrowPermissions(caller, job.permissions) })

// A run shows mistakes of the workflows that it calls beside those of its own.
const inFile = (path: string, error: unknown): unknown =>
  isDomainError(error) ? unprocessable(`${path}: ${error.message}`, { field: 'workflow' }) : error

const described = ({ events }: Workflow): string[] =>
  events.mistakes.map(({ event, message }) => `${message} (on.${event})`)
const warningsOf = (workflow: Workflow): string[] =>
  shortMessages([...described(workflow), ...eventWarnings(workflow.events), ...jobWarnings(workflow.jobs)])
