import { Cron } from 'croner'
import { contextsOf, type Start } from '../../condition'
import type { RunRow } from '../../store'
import { parseWorkflow, payloadOf, stepNames } from '../cut'
import { asksFor, type ChangedPaths, type Happening } from '../filter'
import { firstJobs, type NewJob } from '../first-jobs'
import { dispatchInputs, inputsOf } from '../inputs'
import { planWorkflow } from '../plan'
import { namedWorkflow, readWorkflow, type Workflow } from '../read'

interface PlanInput {
  document: string
  path: string
  context: RunRow['context']
  /** Absent if no event starts the run. */
  start?: Pick<Start, 'payload' | 'vars'>
}

interface Planned {
  name: string
  title: string
  jobs: NewJob[]
  inputs: Start['inputs']
}

/** Recurring times as a cron pattern in a time zone. */
export interface Times {
  cron: string
  timezone: string
}

interface CutInput {
  document: string
  job: Parameters<typeof payloadOf>[1]
  labels: readonly string[]
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
    const contexts = start ? contextsOf(context, { ...start, inputs }) : { github: context }
    const { name, title, jobs } = planWorkflow(workflow, contexts)
    const run = { context: { ...context, workflow: name || path } }
    return { name, title, jobs: firstJobs(jobs, run, { ...start, inputs }), inputs }
  },

  async asksFor(input: { document: string; happening: Happening; changed?: ChangedPaths }) {
    return asksFor((await read(input.document)).events, input.happening, input.changed)
  },

  /** Returns the name and events of a workflow; undefined if it cannot be read at all. */
  summarize: ({ document }: { document: string }) => namedWorkflow(document),

  async requireValid({ document }: { document: string }): Promise<void> {
    await read(document)
  },

  dispatchInputs: ({ document }: { document: string }) => dispatchInputs(document),

  /** Like `dispatchInputs`, but requires that the whole workflow is valid. */
  async validInputs({ document }: { document: string }) {
    await read(document)
    return dispatchInputs(document)
  },

  typedInputs: ({ document, payload }: { document: string; payload: Start['payload'] }) =>
    inputsOf(document, payload),

  async schedules({ document }: { document: string }): Promise<Times[]> {
    const { schedule = [] } = (await read(document)).events
    return schedule.map(({ cron, timezone = 'UTC' }) => ({ cron, timezone }))
  },

  /**
   * Returns the next time of each pattern in milliseconds; null if the pattern or its time zone is invalid.
   */
  nextTimes: ({ times, after }: { times: readonly Times[]; after: number }): (number | null)[] =>
    times.map(each => nextOf(each, new Date(after))?.getTime() ?? null),

  /** Returns the step names of these jobs, in their order. */
  stepNames({ document, jobKeys }: { document: string; jobKeys: readonly string[] }): string[][] {
    const parsed = parseWorkflow(document)
    return jobKeys.map(key => stepNames(parsed, key))
  },

  cut: ({ document, job, labels }: CutInput) => payloadOf(parseWorkflow(document), job, labels),
}

export type Operations = typeof operations

function nextOf({ cron, timezone }: Times, after: Date): Date | null {
  try {
    // GitHub also accepts steps without a range, such as 20/15.
    return new Cron(cron, { timezone, paused: true, sloppyRanges: true }).nextRun(after)
  } catch {
    return null
  }
}
