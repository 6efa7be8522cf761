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
    status: z
      .enum(['online', 'offline'])
      .describe('`online` if the runner has contacted the server in the last minute.'),
    busy: z.boolean().describe('Whether the runner has reported on a job in the last ten seconds.'),
    disabled: z
      .boolean()
      .describe(
        'Whether the runner is paused. A paused runner finishes its current jobs but gets no new ones.',
      ),
    ephemeral: z.boolean().describe('Whether the runner runs only one job.'),
    labels: z.array(
      z.object({ id: wireId, name: z.string(), type: z.literal('custom') }).meta({ id: 'ActionRunnerLabel' }),
    ),
    version: z.string(),
    last_online: wireTimeSchema.describe(
      '`0001-01-01T00:00:00Z` if the runner has never contacted the server.',
    ),
    note: z.string().describe('Why the runner is disabled.'),
    resume_at: wireTimeSchema.nullable().describe('When the runner is enabled automatically.'),
    labels_edited: z
      .boolean()
      .describe('Whether the labels were edited on the server. If so, the declared labels are ignored.'),
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
  disabled: queryText.optional().meta({
    override: { type: 'boolean' },
    description: '`true` lists only disabled runners; `false` lists only enabled ones.',
  }),
})
export type ListRunnersInput = z.output<typeof ListRunnersInput>

// Jobs refer to `name:host` and `name:docker://image` by the name only; the rest is decided by the runner
// itself.
const label = filledLine(maxLabelLength, 'A label must not be empty.').refine(
  text => !/:(?:host$|docker:)/.test(text),
  'Omit :host or :docker://… after a label name. How its jobs run is configured where the runner is registered.',
)
export const labelList = z.array(label).max(maxLabels, `Use at most ${maxLabels} labels.`)
const note = paragraph(500)
const timeForm = 'The time must be in ISO 8601 format, such as 2026-12-31T09:00:00Z.'
const resumeAt = z.union([z.literal(''), z.iso.datetime({ offset: true })], timeForm)

/** Changes to a runner. Absent fields are left unchanged; an empty string clears the field. */
export const EditActionRunnerOption = RunnerPath.extend({
  disabled: strictBoolean,
  note: note.optional().describe('Why the runner is disabled.'),
  resume_at: resumeAt.optional().meta({
    override: { type: 'string', format: 'date-time' },
    description: 'When to enable the runner automatically. If it is empty, the runner stays disabled.',
  }),
  labels: labelList.optional().describe('Labels that replace the declared ones.'),
  labels_edited: strictBoolean
    .optional()
    .describe('`false` restores the declared labels if `labels` is omitted.'),
})
export type RunnerEdit = Omit<z.output<typeof EditActionRunnerOption>, 'runner_id'>

const conclusion = z.enum(['success', 'failure', 'cancelled', 'skipped'])

/** Job that a runner has run or is running. */
export const RunnerJob = z
  .object({
    id: wireId,
    run_id: wireId,
    run_number: z.int(),
    name: z.string(),
    workflow: z.string(),
    repository: z.string().describe('The full name of the repository.'),
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

/** Queued job in the shape that autoscalers know. */
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
    description: 'Comma-separated labels of a runner. Only jobs that it could take are included.',
  })
export const WaitingJobsInput = z.object({ labels: labelsQuery })

/** Number of jobs that wait for runners with the same labels. */
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
