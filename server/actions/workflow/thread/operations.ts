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
  /** Absent where nothing that happened starts the run. */
  start?: Pick<Start, 'payload' | 'vars'>
}

interface Planned {
  name: string
  title: string
  jobs: NewJob[]
  inputs: Start['inputs']
}

/** When something happens, as cron says, in a time zone. */
export interface Times {
  cron: string
  timezone: string
}

interface CutInput {
  document: string
  job: Parameters<typeof payloadOf>[1]
  labels: readonly string[]
}

// One is asked about a workflow several times in a row.
let last: { document: string; workflow: Promise<Workflow> } | undefined

function read(document: string): Promise<Workflow> {
  if (last?.document !== document) last = { document, workflow: readWorkflow(document) }
  return last.workflow
}

/** All that workflows are asked, each by what is plain data. */
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

  /** What it says of itself; undefined if it cannot be read at all. */
  summarize: ({ document }: { document: string }) => namedWorkflow(document),

  async requireValid({ document }: { document: string }): Promise<void> {
    await read(document)
  },

  dispatchInputs: ({ document }: { document: string }) => dispatchInputs(document),

  /** As `dispatchInputs`, of a workflow that is valid. */
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

  /** The next time of each, in milliseconds; null for a pattern or a time zone that does not exist. */
  nextTimes: ({ times, after }: { times: readonly Times[]; after: number }): (number | null)[] =>
    times.map(each => nextOf(each, new Date(after))?.getTime() ?? null),

  /** Of these jobs, in their order. */
  stepNames({ document, jobKeys }: { document: string; jobKeys: readonly string[] }): string[][] {
    const parsed = parseWorkflow(document)
    return jobKeys.map(key => stepNames(parsed, key))
  },

  cut: ({ document, job, labels }: CutInput) => payloadOf(parseWorkflow(document), job, labels),
}

export type Operations = typeof operations

function nextOf({ cron, timezone }: Times, after: Date): Date | null {
  try {
    // GitHub also takes steps without a range, such as 20/15.
    return new Cron(cron, { timezone, paused: true, sloppyRanges: true }).nextRun(after)
  } catch {
    return null
  }
}
