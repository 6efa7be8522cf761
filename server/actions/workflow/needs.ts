import type { WorkflowJob } from '@actions/workflow-parser/model/workflow-template'
import { refusal } from './refusal'

/**
 * Requires that every job that another one needs exists, and that no job needs itself, directly or through others.
 * @throws {DomainError} unprocessable naming the jobs.
 */
export function requireAcyclic(jobs: readonly WorkflowJob[]): void {
  const known = new Map(jobs.map(job => [job.id.value, job]))
  for (const { id, needs = [] } of jobs) {
    const unknown = needs.find(need => !known.has(need.value))
    if (unknown) {
      throw refusal(unknown, `Job '${id.value}' needs '${unknown.value}', but there is no such job.`)
    }
  }
  let open = [...jobs]
  const done = new Set<string>()
  while (open.length > 0) {
    const blocked = open.filter(({ needs = [] }) => needs.some(need => !done.has(need.value)))
    if (blocked.length === open.length) throw refusal(open[0]?.id, circleOf(open))
    const still = new Set(blocked)
    for (const job of open) if (!still.has(job)) done.add(job.id.value)
    open = blocked
  }
}

// Whoever is blocked needs somebody who is blocked too: following them leads around.
function circleOf(blocked: readonly WorkflowJob[]): string {
  const byId = new Map(blocked.map(job => [job.id.value, job]))
  const path: string[] = []
  let name = blocked[0]?.id.value
  while (name !== undefined && !path.includes(name)) {
    path.push(name)
    name = byId.get(name)?.needs?.find(need => byId.has(need.value))?.value
  }
  const circle = [...path.slice(path.indexOf(name ?? '')), name]
  return `These jobs need each other in a circle: ${circle.join(' → ')}.`
}
