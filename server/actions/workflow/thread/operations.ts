import { unprocessable } from '@/server/kernel/errors'
import { contextsOf, type Start } from '../../condition'
import type { RunRow } from '../../store'
import { nextTime, type Schedule } from '../cron'
import { parseWorkflow, payloadOf, stepNames } from '../cut'
import { asksFor, type ChangedPaths, type Happening } from '../filter'
import { firstJobs, type NewJob } from '../first-jobs'
import { dispatchInputs, inputsOf } from '../inputs'
import { shortMessages } from '../mistakes'
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
  /** Mistakes that do not keep the run from starting. */
  warnings: string[]
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
    const warnings = mistakesOf(workflow)
    return { name, title, jobs: firstJobs(jobs, run, { ...start, inputs }), inputs, warnings }
  },

  async asksFor(input: { document: string; happening: Happening; changed?: ChangedPaths }) {
    return asksFor((await read(input.document)).events, input.happening, input.changed)
  },

  /** Returns the name and events of a workflow; undefined if it cannot be read at all. */
  summarize: ({ document }: { document: string }) => namedWorkflow(document),

  /** Returns the mistakes in events of a workflow, which must be valid otherwise. */
  async eventMistakes({ document }: { document: string }): Promise<string[]> {
    return mistakesOf(await read(document))
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

  cut: ({ document, job, labels }: CutInput) => payloadOf(parseWorkflow(document), job, labels),
}

export type Operations = typeof operations

const mistakesOf = ({ events }: Workflow): string[] =>
  shortMessages(events.mistakes.map(({ event, message }) => `${message} (on.${event})`))
