import type { NewEvent, StoredEvent } from '@/server/events'
import { type BranchHistory, branchHistories } from './history'
import { isAbsent, isBranch, isTag, type RefUpdate } from './ref-update'

// Thousands of refs in one push are a mirror being filled, of which nobody reads each.
const maxEvents = 50

type PushEvent = NewEvent<'git.pushed' | 'ref.created' | 'ref.deleted' | 'refs.changed'>

interface PushPlace {
  ownerId: number
  repositoryId: number
}

/**
 * Makes the events of a push: one or two for each of the first 50 branches and tags, and one with their number above
 * that.
 */
export async function pushEvents(
  place: PushPlace,
  directory: string,
  updates: readonly RefUpdate[],
  signal?: AbortSignal,
): Promise<PushEvent[]> {
  const shown = updates.filter(({ ref }) => isBranch(ref) || isTag(ref))
  const first = shown.slice(0, maxEvents)
  const moved = first.filter(({ ref, after }) => isBranch(ref) && !isAbsent(after))
  const histories = await branchHistories(directory, moved, signal)
  const historyOf = new Map(moved.map((update, index) => [update, histories[index]]))
  const events = first.flatMap(update => eventsOf(place, update, historyOf.get(update)))
  if (shown.length > maxEvents) {
    events.push({ ...place, kind: 'refs.changed', facts: { refs: shown.length } })
  }
  return events
}

// A tag that is moved is recorded like a new one.
function eventsOf(
  place: PushPlace,
  { ref, before, after }: RefUpdate,
  history: BranchHistory | undefined,
): PushEvent[] {
  const refType = isTag(ref) ? 'tag' : 'branch'
  if (isAbsent(after)) return [{ ...place, kind: 'ref.deleted', facts: { ref, refType, sha: before } }]
  const created = { ...place, kind: 'ref.created', facts: { ref, refType, sha: after } } as const
  if (!history) return [created]
  const pushed = { ...place, kind: 'git.pushed', facts: { ref, before, after, ...history } } as const
  return isAbsent(before) ? [created, pushed] : [pushed]
}

/** Tells whether this event is the record of this update of a ref, so that it must not be recorded again. */
export function isEventOf(event: StoredEvent, { ref, before, after }: RefUpdate): boolean {
  switch (event.kind) {
    case 'git.pushed':
      return event.facts.ref === ref && event.facts.before === before && event.facts.after === after
    case 'ref.created':
      return event.facts.ref === ref && event.facts.sha === after
    case 'ref.deleted':
      return event.facts.ref === ref && event.facts.sha === before && isAbsent(after)
    default:
      return false
  }
}
