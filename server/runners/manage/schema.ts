import { z } from 'zod'
import { formEdit } from '@/server/kernel/form-edit'
import { pageInput, pageOf } from '@/server/kernel/pagination'
import { id, wireId, wireTimeSchema } from '@/server/kernel/wire'
import { ScopePath } from '@/server/scopes/schema'
import { labelsIn } from '../label-text'
import { ActionRunner, Demand, EditActionRunnerOption, labelList, RunnerJob } from '../schema'

/**
 * State of a runner in one word. `paused` takes precedence over all others; `never` means that it has not
 * connected yet.
 */
export const runnerStates = ['idle', 'busy', 'offline', 'paused', 'never'] as const
export type RunnerState = (typeof runnerStates)[number]

export const BrowsedRunner = ActionRunner.extend({
  state: z.enum(runnerStates),
  declared_labels: z.array(z.string()),
  created_at: wireTimeSchema,
  /**
   * Username of the person who paused the runner; null while it is not paused, or if the account was deleted.
   */
  paused_by: z.string().nullable(),
  paused_at: wireTimeSchema.nullable(),
  /** Name of the account or full name of the repository; null for a site runner. */
  owner: z.string().nullable(),
  /** Jobs that the runner is running. */
  jobs: z.array(RunnerJob.pick({ id: true, run_id: true, name: true, repository: true })),
}).meta({ id: 'BrowsedRunner' })
export type BrowsedRunner = z.output<typeof BrowsedRunner>
export const BrowsedRunnerPage = pageOf(BrowsedRunner)

/**
 * Number of waiting jobs with the same labels. `served` is whether each of them has a matching runner that is
 * online and not paused.
 */
const BrowsedDemand = Demand.extend({ served: z.boolean() })
export type BrowsedDemand = z.output<typeof BrowsedDemand>
export const BrowsedDemandList = z.array(BrowsedDemand)

/**
 * Registration token of a scope, and the ID of the newest runner, after which newly registered runners are
 * found.
 */
export const SetUp = z.object({ token: z.string(), last_id: wireId })
export const RegisteredSinceInput = ScopePath.extend({ last_id: id })

/**
 * Effects of deleting a runner: the number of jobs that would fail, and of waiting jobs that no other runner
 * could take.
 */
export const RemovalPreview = z.object({ running: z.int(), stranded: z.int() })
export type RemovalPreview = z.output<typeof RemovalPreview>

export const BrowseRunnersInput = ScopePath.extend(pageInput)
export const ScopedRunnerPath = ScopePath.extend({ id })

/** Pause of a runner. Without minutes, it lasts until someone ends it. */
export const PauseRunnerInput = ScopedRunnerPath.extend({
  note: EditActionRunnerOption.shape.note,
  resume_in_minutes: z
    .int()
    .min(1)
    .max(366 * 24 * 60)
    .optional(),
})
export type PauseRunnerInput = z.output<typeof PauseRunnerInput>

/** Fields of the form for labels: their names, separated by commas or line breaks. */
export const LabelFields = z.object({
  labels: z
    .string()
    .max(26_000)
    .superRefine((text, issues) => {
      const { error } = labelList.min(1, 'Enter at least one label.').safeParse(labelsIn(text))
      if (error) issues.addIssue(error.issues[0]?.message ?? 'The labels are invalid.')
    }),
})
export const SaveLabelsInput = ScopedRunnerPath.extend(formEdit(LabelFields.partial()).shape)
export type SaveLabelsInput = z.output<typeof SaveLabelsInput>

export const RunnerHistoryInput = ScopedRunnerPath.extend(pageInput)
export const RunnerHistoryPage = pageOf(RunnerJob)

export const PreviewLabelsInput = ScopedRunnerPath.extend({ labels: labelList })
/** Number of waiting jobs that the runner can take with its current and with the requested labels. */
export const LabelsPreview = z.object({
  before: z.int(),
  after: z.int(),
  changes: z.array(Demand.extend({ change: z.enum(['gained', 'lost']) })),
})
export type LabelsPreview = z.output<typeof LabelsPreview>
