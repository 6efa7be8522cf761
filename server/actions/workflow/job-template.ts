import { isSequence } from '@actions/workflow-parser'
import type { Job, ReusableWorkflowJob } from '@actions/workflow-parser/model/workflow-template'
import type { CallTemplate, JobTemplate } from '@/db/tables/workflow-templates'
import type { RequestedPermissions } from '@/server/kernel/job-permissions'
import { storable } from './expressions'
import type { OwnJob } from './read'
import { positionOf, refusal } from './refusal'
import { maxConditionLength, maxNeeds } from './run-limits'
import { templateOf } from './tokens'

/** What a workflow says about one of its jobs. */
export interface WorkflowJob {
  key: string
  needs: string[]
  condition: string
  /** What the workflow requests for the job's token; null if it requests nothing. */
  permissions: RequestedPermissions | null
  template: JobTemplate
}

/**
 * Returns what a workflow says about a job, with its expressions not evaluated yet. `caller` is the name of the
 * job that calls the workflow.
 * @throws {DomainError} unprocessable with the position of a mistake, or naming a limit.
 */
export function jobTemplateOf(job: OwnJob, caller?: string): WorkflowJob {
  const { id, name, strategy, concurrency } = job
  const needs = [...new Set((job.needs ?? []).map(({ value }) => value))]
  if (needs.length > maxNeeds) throw refusal(id, `Job '${id.value}' depends on more than ${maxNeeds} jobs.`)
  const condition = job.if.expression === 'success()' ? '' : storable(job.if.expression)
  if (condition.length > maxConditionLength)
    throw refusal(job.if, `The condition must be at most ${maxConditionLength} characters.`)
  const { 'continue-on-error': continues } = job
  return {
    key: id.value,
    needs,
    condition,
    permissions: job.permissions,
    template: {
      ...(job.type === 'job' ? ownParts(job) : { call: callOf(job) }),
      ...(caller !== undefined && { caller }),
      ...(name && { name: templateOf(name) }),
      ...(strategy && { strategy: templateOf(strategy) }),
      ...(continues && { continueOnError: templateOf(continues) }),
      ...(concurrency && { concurrency: templateOf(concurrency) }),
    },
  }
}

function ownParts({ id, environment, 'runs-on': runsOn }: Job): Partial<JobTemplate> {
  if (!runsOn || (isSequence(runsOn) && runsOn.count === 0))
    throw refusal(runsOn ?? id, `Job '${id.value}' has no runs-on.`)
  return { runsOn: templateOf(runsOn), ...(environment && { environment: templateOf(environment) }) }
}

function callOf(job: ReusableWorkflowJob): CallTemplate {
  const { ref, 'input-values': inputs, 'secret-values': secrets, 'inherit-secrets': inherits } = job
  return {
    at: positionOf(ref),
    uses: storable(ref.value),
    ...(inputs && { with: templateOf(inputs) }),
    ...(secrets && { secrets: templateOf(secrets) }),
    inherits: inherits === true,
  }
}
