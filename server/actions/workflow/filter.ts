import { unprocessable } from '@/server/kernel/errors'
import { isIncluded } from './pattern'
import type { EventsConfig } from './read'

/** What happened, as workflows name it. */
export interface Happening {
  name: 'push' | 'create' | 'delete' | 'release'
  /** The kinds of it that workflows can ask for; the first is `github.event.action`. */
  activities: readonly string[]
  /** The full name of the ref that runs are for. */
  ref: string
}

/** The paths that a push changed; null if they are not known. */
export type ChangedPaths = readonly string[] | null

type Filter = Partial<Record<(typeof keys)[number], string[]>>
const keys = ['branches', 'branches-ignore', 'tags', 'tags-ignore', 'paths', 'paths-ignore', 'types'] as const

/**
 * Whether a workflow asks to be started by this, with the filters that it has for it; `dependsOnPaths` if that cannot be told
 * without the paths that changed.
 * @throws {DomainError} unprocessable if its filters exclude each other, or those of branches or tags are too many to compare.
 */
export function asksFor(
  events: EventsConfig,
  { name, activities, ref }: Happening,
  changed?: ChangedPaths,
): boolean | 'dependsOnPaths' {
  if (!Object.hasOwn(events, name)) return false
  const filter = (events[name] ?? {}) as Filter
  if (filter.types && !filter.types.some(type => activities.includes(type))) return false
  if (name !== 'push') return true
  for (const key of ['branches', 'tags', 'paths'] as const) {
    const isBoth = filter[key] && filter[`${key}-ignore`]
    if (isBoth)
      throw unprocessable(`on.push has both ${key} and ${key}-ignore; only one of them can be used.`)
  }
  if (!passesRef(filter, ref)) return false
  const { paths, 'paths-ignore': ignored } = filter
  // Of tags, paths are not compared.
  if ((!paths && !ignored) || ref.startsWith('refs/tags/')) return true
  if (changed === undefined) return 'dependsOnPaths'
  return changed === null || passesPaths(changed, paths, ignored)
}

function passesRef(filter: Filter, ref: string): boolean {
  const branches = filter.branches ?? filter['branches-ignore']
  const tags = filter.tags ?? filter['tags-ignore']
  // Filters for branches alone leave out tags, and the other way round.
  if (!branches && !tags) return true
  const [, kind, name = ''] = /^refs\/(heads|tags)\/(.*)$/s.exec(ref) ?? []
  const until = performance.now() + maxMs
  const answer =
    kind === 'tags'
      ? passes(filter.tags, filter['tags-ignore'], name, until)
      : passes(filter.branches, filter['branches-ignore'], name, until)
  if (answer === undefined)
    throw unprocessable(`It takes too long to compare ${ref} with the filters of push.`)
  return answer
}

// Others wait for their turn.
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
  // What takes longer counts as paths that are not known.
  return changed.some(path => performance.now() > until || (passes(paths, ignored, path, until) ?? true))
}
