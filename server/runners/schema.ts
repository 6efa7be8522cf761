import { z } from 'zod'
import { pageInput } from '@/server/kernel/pagination'
import {
  filledLine,
  id,
  paragraph,
  queryText,
  strictBoolean,
  wireId,
  wireTimeSchema,
} from '@/server/kernel/wire'
import { maxLabelLength, maxLabels } from './label-text'

export const ActionRunner = z
  .object({
    id: wireId,
    name: z.string(),
    status: z.enum(['online', 'offline']).describe('`online` if it called within the last minute.'),
    busy: z.boolean().describe('It reported about a job within the last ten seconds.'),
    disabled: z.boolean().describe('It gets no jobs. Those that it has go on.'),
    ephemeral: z.boolean().describe('It does one job.'),
    labels: z.array(
      z.object({ id: wireId, name: z.string(), type: z.literal('custom') }).meta({ id: 'ActionRunnerLabel' }),
    ),
    version: z.string(),
    last_online: wireTimeSchema.describe('`0001-01-01T00:00:00Z` until it has called.'),
    note: z.string().describe('Why it is disabled.'),
    resume_at: wireTimeSchema.nullable().describe('When it is enabled by itself.'),
    labels_edited: z.boolean().describe('The labels were edited here; those that it declares do not count.'),
  })
  .meta({ id: 'ActionRunner' })
export type ActionRunner = z.output<typeof ActionRunner>

export const ActionRunnerList = z
  .object({ runners: z.array(ActionRunner), total_count: wireId })
  .meta({ id: 'ActionRunnersResponse' })

export const RegistrationToken = z.object({ token: z.string() }).meta({ id: 'RegistrationToken' })

export const RunnerPath = z.object({ runner_id: id })
export type RunnerPath = z.output<typeof RunnerPath>

export const ListRunnersInput = z.object({
  ...pageInput,
  disabled: queryText
    .optional()
    .meta({ override: { type: 'boolean' }, description: 'Only those that are disabled, or that are not.' }),
})
export type ListRunnersInput = z.output<typeof ListRunnersInput>

// Of `name:host` and `name:docker://image`, jobs ask for the name; how to run them only the runner itself decides.
const label = filledLine(maxLabelLength, 'A label is empty.').refine(
  text => !/:(?:host$|docker:)/.test(text),
  'Leave out :host or :docker://… after the name of a label: how to run its jobs is decided where the runner is registered.',
)
export const labelList = z.array(label).max(maxLabels, `Use at most ${maxLabels} labels.`)
const note = paragraph(500)
const timeForm = 'Give a time, such as 2026-12-31T09:00:00Z.'
const resumeAt = z.union([z.literal(''), z.iso.datetime({ offset: true })], timeForm)

/** Absent fields stay unchanged; an empty text clears. */
export const EditActionRunnerOption = RunnerPath.extend({
  disabled: strictBoolean,
  note: note.optional().describe('Why it is disabled.'),
  resume_at: resumeAt.optional().meta({
    override: { type: 'string', format: 'date-time' },
    description: 'When it is to be enabled by itself; empty for never.',
  }),
  labels: labelList.optional().describe('Instead of those that it declares.'),
  labels_edited: strictBoolean
    .optional()
    .describe('False gives it the labels back that it declares, if `labels` is left out.'),
})
export type RunnerEdit = Omit<z.output<typeof EditActionRunnerOption>, 'runner_id'>

const conclusion = z.enum(['success', 'failure', 'cancelled', 'skipped'])

/** A job that a runner did, or does. */
export const RunnerJob = z
  .object({
    id: wireId,
    run_id: wireId,
    run_number: z.int(),
    name: z.string(),
    workflow: z.string(),
    repository: z.string().describe('The full name.'),
    url: z.string(),
    html_url: z.string(),
    status: z.enum(['queued', 'waiting', 'in_progress', 'completed']),
    conclusion: conclusion.nullable(),
    started_at: wireTimeSchema,
    completed_at: wireTimeSchema.nullable(),
  })
  .meta({ id: 'ActionRunnerJob' })
export type RunnerJob = z.output<typeof RunnerJob>
export const RunnerJobList = z
  .object({ jobs: z.array(RunnerJob), total_count: wireId })
  .meta({ id: 'ActionRunnerJobsResponse' })
export const RunnerJobsInput = RunnerPath.extend(pageInput)

/** A job in the queue, in the shape that autoscalers of runners know. */
export const WaitingJob = z
  .object({
    id: wireId,
    run_id: wireId,
    repo_id: wireId,
    owner_id: wireId,
    name: z.string(),
    needs: z.array(z.string()),
    runs_on: z.array(z.string()),
    task_id: wireId.describe('Always 0.'),
    status: z.literal('waiting'),
    queued_at: wireTimeSchema,
  })
  .meta({ id: 'ActionRunJob' })
export type WaitingJob = z.output<typeof WaitingJob>
export const WaitingJobPage = z.object({
  items: z.array(WaitingJob),
  total: z.int(),
  page: z.int(),
  limit: z.int(),
})

const labelsQuery = queryText
  .optional()
  .transform(text => {
    const labels = text?.split(',').map(each => each.trim())
    return labels?.some(Boolean) ? labels.filter(Boolean).slice(0, maxLabels) : undefined
  })
  .meta({
    override: { type: 'string' },
    description: 'Labels of a runner, separated by commas: only jobs that it could take.',
  })
export const WaitingJobsInput = z.object({ labels: labelsQuery })

/** How many jobs wait for runners with the same labels. */
export const Demand = z.object({
  labels: z.array(z.string()),
  count: z.int(),
  oldest_queued_at: wireTimeSchema,
})
export type Demand = z.output<typeof Demand>
export const DemandList = z
  .object({
    total_count: wireId,
    oldest_queued_at: wireTimeSchema.nullable(),
    demand: z.array(Demand),
  })
  .meta({ id: 'ActionRunnerDemand' })
export type DemandList = z.output<typeof DemandList>
