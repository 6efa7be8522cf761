import { z } from 'zod'
import { formEdit } from '@/server/kernel/form-edit'
import { pageInput, pageOf } from '@/server/kernel/pagination'
import { id, wireId, wireTimeSchema } from '@/server/kernel/wire'
import { ScopePath } from '@/server/scopes/schema'
import { labelsIn } from '../label-text'
import { ActionRunner, Demand, EditActionRunnerOption, labelList, RunnerJob } from '../schema'

/** One word for a runner: `paused` goes before all others, and `never` is for one that has not called yet. */
export const runnerStates = ['idle', 'busy', 'offline', 'paused', 'never'] as const
export type RunnerState = (typeof runnerStates)[number]

export const BrowsedRunner = ActionRunner.extend({
  state: z.enum(runnerStates),
  declared_labels: z.array(z.string()),
  created_at: wireTimeSchema,
  /** Who paused it, and when; null while it is not paused, and for a deleted account. */
  paused_by: z.string().nullable(),
  paused_at: wireTimeSchema.nullable(),
  /** The name of the account or the full name of the repository; null for a runner of the site. */
  owner: z.string().nullable(),
  /** The jobs that it does now. */
  jobs: z.array(RunnerJob.pick({ id: true, run_id: true, name: true, repository: true })),
}).meta({ id: 'BrowsedRunner' })
export type BrowsedRunner = z.output<typeof BrowsedRunner>
export const BrowsedRunnerPage = pageOf(BrowsedRunner)

/** Jobs that wait, and whether for each of them a runner with its labels is online and not paused. */
const BrowsedDemand = Demand.extend({ served: z.boolean() })
export type BrowsedDemand = z.output<typeof BrowsedDemand>
export const BrowsedDemandList = z.array(BrowsedDemand)

/** What it takes to register runners; those with higher ids were registered since. */
export const SetUp = z.object({ token: z.string(), last_id: wireId })
export const RegisteredSinceInput = ScopePath.extend({ last_id: id })

/** What deleting a runner does: jobs that fail, and waiting ones that no other runner could take. */
export const RemovalPreview = z.object({ running: z.int(), stranded: z.int() })
export type RemovalPreview = z.output<typeof RemovalPreview>

export const BrowseRunnersInput = ScopePath.extend(pageInput)
export const ScopedRunnerPath = ScopePath.extend({ id })

/** A pause without minutes lasts until somebody ends it. */
export const PauseRunnerInput = ScopedRunnerPath.extend({
  note: EditActionRunnerOption.shape.note,
  resume_in_minutes: z
    .int()
    .min(1)
    .max(366 * 24 * 60)
    .optional(),
})
export type PauseRunnerInput = z.output<typeof PauseRunnerInput>

/** What the form of labels holds: their names, separated by commas or line breaks. */
export const LabelFields = z.object({
  labels: z
    .string()
    .max(26_000)
    .superRefine((text, issues) => {
      const { error } = labelList.min(1, 'Enter at least one label.').safeParse(labelsIn(text))
      if (error) issues.addIssue(error.issues[0]?.message ?? 'Enter other labels.')
    }),
})
export const SaveLabelsInput = ScopedRunnerPath.extend(formEdit(LabelFields.partial()).shape)
export type SaveLabelsInput = z.output<typeof SaveLabelsInput>

export const RunnerHistoryInput = ScopedRunnerPath.extend(pageInput)
export const RunnerHistoryPage = pageOf(RunnerJob)

export const PreviewLabelsInput = ScopedRunnerPath.extend({ labels: labelList })
/** The waiting jobs that the runner can take with its labels, or could with others. */
export const LabelsPreview = z.object({
  before: z.int(),
  after: z.int(),
  changes: z.array(Demand.extend({ change: z.enum(['gained', 'lost']) })),
})
export type LabelsPreview = z.output<typeof LabelsPreview>
