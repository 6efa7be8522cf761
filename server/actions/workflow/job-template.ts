import { isSequence } from '@actions/workflow-parser'
import type { JobTemplate } from '@/db/tables/workflow-templates'
import { storable } from './expressions'
import type { OwnJob } from './read'
import { refusal } from './refusal'
import { maxConditionLength, maxNeeds } from './run-limits'
import { templateOf } from './tokens'

/** What a workflow says about one of its jobs. */
export interface WorkflowJob {
  key: string
  needs: string[]
  condition: string
  template: JobTemplate
}

/**
 * Returns what a workflow says about a job, with its expressions not evaluated yet.
 * @throws {DomainError} unprocessable with the position of a mistake, or naming a limit.
 */
export function jobTemplateOf(job: OwnJob): WorkflowJob {
  const { id, name, strategy, concurrency, environment, 'runs-on': runsOn } = job
  const needs = [...new Set((job.needs ?? []).map(({ value }) => value))]
  if (needs.length > maxNeeds) throw refusal(id, `Job '${id.value}' depends on more than ${maxNeeds} jobs.`)
  const condition = job.if.expression === 'success()' ? '' : storable(job.if.expression)
  if (condition.length > maxConditionLength)
    throw refusal(job.if, `The condition must be at most ${maxConditionLength} characters.`)
  if (!runsOn || (isSequence(runsOn) && runsOn.count === 0))
    throw refusal(runsOn ?? id, `Job '${id.value}' has no runs-on.`)
  const { 'continue-on-error': continues } = job
  return {
    key: id.value,
    needs,
    condition,
    template: {
      runsOn: templateOf(runsOn),
      ...(name && { name: templateOf(name) }),
      ...(strategy && { strategy: templateOf(strategy) }),
      ...(continues && { continueOnError: templateOf(continues) }),
      ...(concurrency && { concurrency: templateOf(concurrency) }),
      ...(environment && { environment: templateOf(environment) }),
    },
  }
}
