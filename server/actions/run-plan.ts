import type { Group } from '@/db/tables/workflow-templates'
import type { Start } from './condition'
import type { RunRow } from './store'
import type { NewJob } from './workflow/first-jobs'
import type { RunTemplate } from './workflow/plan-run'

/** Whether a new job calls a reusable workflow, or its combinations will. */
export const callsWorkflow = ({ call, template }: NewJob): boolean => Boolean(call ?? template?.call)

/** Whether a run with these jobs can have concurrency groups, for itself or for jobs. */
export const plansGroups = ({
  jobs,
  concurrency,
  later,
}: Pick<RunPlan, 'jobs' | 'concurrency' | 'later'>): boolean =>
  Boolean(concurrency ?? later?.concurrency) ||
  // A reusable workflow can have groups of its own.
  jobs.some(job => job.concurrency || job.template?.concurrency || callsWorkflow(job))

/** Everything that a new run is created from. */
export type RunPlan = Partial<Start> &
  Pick<RunRow, 'title' | 'workflow_path' | 'workflow_name' | 'context' | 'event' | 'ref' | 'sha'> & {
    /** Workflow as YAML. */
    document: string
    jobs: readonly NewJob[]
    /** Event that started the run. */
    trigger_event_id?: number
    /** What is wrong with the workflow. If it is set, the run is created as failed. */
    error?: string
    warnings?: readonly string[]
    /** Number of runs that led to this one by `workflow_run` events. */
    level?: number
    concurrency?: Group | null
    /** What is evaluated once the run has its ID and number. */
    later?: RunTemplate
  }
