import type { EventsConfig } from '@/server/actions'
import { isIncluded } from './pattern'
import type { Trigger } from './trigger'

/** The paths that a push changed; undefined if they are not known. */
export type ChangedPaths = () => Promise<readonly string[] | undefined>

type Filter = Partial<Record<(typeof keys)[number], string[]>>
const keys = ['branches', 'branches-ignore', 'tags', 'tags-ignore', 'paths', 'paths-ignore', 'types'] as const

/** Whether a workflow asks to be started by this, with the filters that it has for it. */
export async function asksFor(
  events: EventsConfig,
  { name, activities, ref }: Pick<Trigger, 'name' | 'activities' | 'ref'>,
  changedPaths: ChangedPaths,
): Promise<boolean> {
  if (!Object.hasOwn(events, name)) return false
  const filter = (events[name] ?? {}) as Filter
  if (filter.types && !filter.types.some(type => activities.includes(type))) return false
  if (name !== 'push') return true
  if (!passesRef(filter, ref)) return false
  const { paths, 'paths-ignore': ignored } = filter
  // Of tags, paths are not compared.
  if ((!paths && !ignored) || ref.startsWith('refs/tags/')) return true
  const changed = await changedPaths()
  return changed === undefined || passesPaths(changed, paths, ignored)
}

function passesRef(filter: Filter, ref: string): boolean {
  const branches = filter.branches ?? filter['branches-ignore']
  const tags = filter.tags ?? filter['tags-ignore']
  // Filters for branches alone leave out tags, and the other way round.
  if (!branches && !tags) return true
  const [, kind, name = ''] = /^refs\/(heads|tags)\/(.*)$/s.exec(ref) ?? []
  if (kind === 'tags') return passes(filter.tags, filter['tags-ignore'], name)
  return passes(filter.branches, filter['branches-ignore'], name)
}

function passes(wanted: string[] | undefined, ignored: string[] | undefined, name: string): boolean {
  if (wanted) return isIncluded(wanted, name)
  return ignored !== undefined && !isIncluded(ignored, name)
}

// Comparing blocks the process: what takes longer counts as unknown.
const maxMs = 300

function passesPaths(
  changed: readonly string[],
  paths: string[] | undefined,
  ignored: string[] | undefined,
): boolean {
  const end = performance.now() + maxMs
  const isWanted = (path: string): boolean =>
    performance.now() > end || (paths ? isIncluded(paths, path) : !isIncluded(ignored ?? [], path))
  return changed.some(isWanted)
}
