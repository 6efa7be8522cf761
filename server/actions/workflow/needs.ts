import { isMapping, isSequence, isString } from '@actions/workflow-parser'
import type { WorkflowJob } from '@actions/workflow-parser/model/workflow-template'
import type { TemplateToken } from '@actions/workflow-parser/templates/tokens/index'
import { refusal } from './refusal'

/** Writes the needs of jobs as the IDs of these jobs are written; as on GitHub, case does not matter. */
export function alignNeeds(jobs: TemplateToken | undefined): void {
  if (!jobs || !isMapping(jobs)) return
  const ids = new Map([...jobs].map(({ key }) => [key.toString().toLowerCase(), key.toString()]))
  for (const { value: job } of jobs) {
    const needs = isMapping(job) ? job.find('needs') : undefined
    for (const need of needs && isSequence(needs) ? needs : [needs])
      if (need && isString(need))
        Object.assign(need, { value: ids.get(need.value.toLowerCase()) ?? need.value })
  }
}

/**
 * Requires that every needed job exists and that no job needs itself, directly or indirectly.
 * @throws {DomainError} unprocessable, naming the jobs.
 */
export function requireAcyclic(jobs: readonly WorkflowJob[]): void {
  const known = new Map(jobs.map(job => [job.id.value, job]))
  for (const { id, needs = [] } of jobs) {
    const unknown = needs.find(need => !known.has(need.value))
    if (unknown) {
      throw refusal(unknown, `Job '${id.value}' depends on unknown job '${unknown.value}'.`)
    }
  }
  const dependents = new Map<string, WorkflowJob[]>()
  const missing = new Map<WorkflowJob, number>()
  for (const job of jobs) {
    const needs = new Set(job.needs?.map(({ value }) => value))
    missing.set(job, needs.size)
    for (const need of needs) {
      const found = dependents.get(need)
      if (found) found.push(job)
      else dependents.set(need, [job])
    }
  }
  // The loop below appends to this array while iterating over it.
  const startable = jobs.filter(job => missing.get(job) === 0)
  for (const { id } of startable) {
    for (const job of dependents.get(id.value) ?? []) {
      const left = (missing.get(job) ?? 0) - 1
      missing.set(job, left)
      if (left === 0) startable.push(job)
    }
  }
  const done = new Set(startable)
  const blocked = jobs.filter(job => !done.has(job))
  if (blocked.length > 0) throw refusal(blocked[0]?.id, circleOf(blocked))
}

// Every blocked job needs another blocked job, so following `needs` leads into the cycle.
function circleOf(blocked: readonly WorkflowJob[]): string {
  const byId = new Map(blocked.map(job => [job.id.value, job]))
  const path: string[] = []
  let name = blocked[0]?.id.value
  while (name !== undefined && !path.includes(name)) {
    path.push(name)
    name = byId.get(name)?.needs?.find(need => byId.has(need.value))?.value
  }
  const circle = [...path.slice(path.indexOf(name ?? '')), name]
  return `These jobs depend on each other in a cycle: ${circle.join(' → ')}.`
}
