import { unprocessable } from '@/server/kernel/errors'
import type { Events, Filters } from './events'
import { isIncluded } from './pattern'

/** Event that can start a workflow, in the terms of the `on` key. */
export interface Happening {
  name: 'push' | 'create' | 'delete' | 'release'
  /** Activity types of the event that workflows can filter by; the first is `github.event.action`. */
  activities: readonly string[]
  /** Full name of the ref that the runs are for. */
  ref: string
}

/** Paths that a push changed; null if they cannot be determined. */
export type ChangedPaths = readonly string[] | null

/**
 * Returns whether an event starts a workflow, given its filters, or `dependsOnPaths` if this depends on the
 * changed paths and they were not passed.
 * @throws {DomainError} unprocessable if the event has a mistake, if its filters exclude each other, or if
 * comparing the filters of branches or tags takes too long.
 */
export function asksFor(
  events: Events,
  { name, activities, ref }: Happening,
  changed?: ChangedPaths,
): boolean | 'dependsOnPaths' {
  const mistakes = events.mistakes.filter(({ event }) => event === name)
  if (mistakes.length > 0) throw unprocessable(mistakes.map(({ message }) => message).join('\n'))
  const filter = events.filters.get(name)
  if (!filter) return false
  if (filter.types && !filter.types.some(type => activities.includes(type))) return false
  if (name !== 'push') return true
  for (const key of ['branches', 'tags', 'paths'] as const) {
    const isBoth = filter[key] && filter[`${key}-ignore`]
    if (isBoth)
      throw unprocessable(`on.push has both ${key} and ${key}-ignore, but only one of them can be used.`)
  }
  if (!passesRef(filter, ref)) return false
  const { paths, 'paths-ignore': ignored } = filter
  // As on GitHub, path filters do not apply to tags.
  if ((!paths && !ignored) || ref.startsWith('refs/tags/')) return true
  if (changed === undefined) return 'dependsOnPaths'
  return changed === null || passesPaths(changed, paths, ignored)
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
