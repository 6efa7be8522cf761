import { unprocessable } from '@/server/kernel/errors'
import type { Events, Filters } from './events'
import { isIncluded } from './pattern'

/** Event that can start a workflow, in the terms of the `on` key. */
export interface Happening {
  name: 'push' | 'create' | 'delete' | 'release' | 'workflow_run' | 'repository_dispatch'
  /** Activity types of the event that workflows can filter by; the first is `github.event.action`. */
  activities: readonly string[]
  /** Full name of the ref that the runs are for. */
  ref: string
  /** Run that a `workflow_run` event is about: the name of its workflow, and its branch. */
  followed?: { workflow: string; branch: string }
}

/** Paths that a push changed; null if they cannot be determined. */
export type ChangedPaths = readonly string[] | null

/**
 * Returns the activities for which an event starts a workflow, given its filters: none if it does not start, or
 * an empty one for an event without activities. Returns `dependsOnPaths` if this depends on the changed paths
 * and they were not passed.
 * @throws {DomainError} unprocessable if the event has a mistake, or if comparing the filters of branches or tags
 * takes too long.
 */
export function asksFor(
  events: Events,
  happening: Happening,
  changed?: ChangedPaths,
): readonly string[] | 'dependsOnPaths' {
  const { name, activities, ref, followed } = happening
  const mistakes = events.mistakes.filter(({ event }) => event === name)
  if (mistakes.length > 0) throw unprocessable(mistakes.map(({ message }) => message).join('\n'))
  const filter = events.filters.get(name)
  if (!filter) return []
  const { types } = filter
  const asked = types ? activities.filter(activity => types.includes(activity)) : activities.slice(0, 1)
  if (name === 'workflow_run') return followed && passesRun(filter, followed) ? asked : []
  if (name !== 'push') return activities.length > 0 ? asked : started
  if (!passesRef(filter, ref)) return []
  const { paths, 'paths-ignore': ignored } = filter
  // As on GitHub, path filters do not apply to tags.
  if ((!paths && !ignored) || ref.startsWith('refs/tags/')) return started
  if (changed === undefined) return 'dependsOnPaths'
  return changed === null || passesPaths(changed, paths, ignored) ? started : []
}

// One run of an event without activities.
const started = ['']

function passesRun(filter: Filters, { workflow, branch }: { workflow: string; branch: string }): boolean {
  if (filter.workflows && !filter.workflows.includes(workflow)) return false
  const { branches, 'branches-ignore': ignored } = filter
  if (!branches && !ignored) return true
  const answer = passes(branches, ignored, branch, performance.now() + maxMs)
  if (answer === undefined) throw unprocessable('Matching the on.workflow_run filters takes too long.')
  return answer
}

function passesRef(filter: Filters, ref: string): boolean {
  const branches = filter.branches ?? filter['branches-ignore']
  const tags = filter.tags ?? filter['tags-ignore']
  // A workflow with filters for branches only does not start for tags, and vice versa.
  if (!branches && !tags) return true
  const [, kind, name = ''] = /^refs\/(heads|tags)\/(.*)$/s.exec(ref) ?? []
  const until = performance.now() + maxMs
  const answer =
    kind === 'tags'
      ? passes(filter.tags, filter['tags-ignore'], name, until)
      : passes(filter.branches, filter['branches-ignore'], name, until)
  if (answer === undefined) throw unprocessable(`Matching ${ref} against the on.push filters takes too long.`)
  return answer
}

// Comparing blocks all others that wait for the thread.
const maxMs = 300

function passes(
  wanted: string[] | undefined,
  ignored: string[] | undefined,
  name: string,
  until: number,
): boolean | undefined {
  if (wanted) return isIncluded(wanted, name, until)
  const isIgnored = ignored === undefined || isIncluded(ignored, name, until)
  return isIgnored === undefined ? undefined : !isIgnored
}

function passesPaths(
  changed: readonly string[],
  paths: string[] | undefined,
  ignored: string[] | undefined,
): boolean {
  const until = performance.now() + maxMs
  // If comparing takes longer, the changed paths count as unknown.
  return changed.some(path => performance.now() > until || (passes(paths, ignored, path, until) ?? true))
}
