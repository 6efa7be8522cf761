import type { NewEvent, StoredEvent } from '@/server/events'
import { shownName } from '@/server/kernel/git/ref-text'
import { type BranchHistory, branchHistories } from './history'
import { isAbsent, isBranch, isTag, type RefUpdate } from './ref-update'

// A push of thousands of refs usually fills a mirror. People would not read an event for each of them, but
// programs can use them.
const maxShown = 50
const maxReported = 1000

type PushKind = 'git.pushed' | 'ref.created' | 'ref.deleted' | 'refs.changed'
/**
 * The event of a push, without its owner: the owner is added when the event is recorded, because the
 * repository can be transferred until then.
 */
type PushEvent = { [K in PushKind]: Omit<NewEvent<K>, 'ownerId'> }[PushKind]

interface PushTarget {
  repositoryId: number
  deployKey?: { id: number; title: string } | undefined
  skipsWorkflows?: boolean
}

/**
 * Builds the events to record for a push: one or two for each of the first 1,000 branches and tags. Events of
 * refs after the first 50 are marked as quiet, so that activity feeds leave them out. If there are more than
 * 1,000 branches and tags, one further event has their total number.
 */
export async function pushEvents(
  { repositoryId, deployKey, skipsWorkflows }: PushTarget,
  directory: string,
  updates: readonly RefUpdate[],
  signal?: AbortSignal,
): Promise<PushEvent[]> {
  const target = { repositoryId }
  const reported = updates.filter(({ ref }) => isBranch(ref) || isTag(ref))
  const moved = reported.slice(0, maxShown).filter(({ ref, after }) => isBranch(ref) && !isAbsent(after))
  const histories = await branchHistories(directory, moved, signal)
  const historyOf = new Map(moved.map((update, index) => [update, histories[index]]))
  const events = reported.slice(0, maxReported).flatMap((update, index) =>
    eventsOf(target, update, {
      deployKey,
      skipsWorkflows,
      history: historyOf.get(update),
      quiet: index >= maxShown,
    }),
  )
  if (reported.length > maxReported) {
    const facts = { repositoryId, refs: reported.length }
    events.push({ ...target, kind: 'refs.changed', facts })
  }
  return events
}

interface About extends Omit<PushTarget, 'repositoryId'> {
  history: BranchHistory | undefined
  quiet: boolean
}

const noHistory: BranchHistory = { commits: 0, forced: false, summary: '', newest: [] }

// For compatibility with existing clients, moving a tag is recorded like creating it, and deleting a branch
// is not recorded as a push.
function eventsOf(
  target: Pick<PushTarget, 'repositoryId'>,
  { ref: name, before, after }: RefUpdate,
  { deployKey, skipsWorkflows, history = noHistory, quiet }: About,
): PushEvent[] {
  const by = {
    ...target,
    ...(deployKey && { deployKey }),
    ...(skipsWorkflows && { skipsWorkflows }),
  }
  const ref = shownName(name)
  const refType = isTag(ref) ? 'tag' : 'branch'
  const change = { ...by, ref, refType, quiet } as const
  const pushed = {
    ...target,
    kind: 'git.pushed',
    facts: { ...by, ref, before, after, ...history, quiet },
  } as const
  if (isAbsent(after)) {
    const deleted = { ...target, kind: 'ref.deleted', facts: { ...change, sha: before } } as const
    return refType === 'tag' ? [deleted, pushed] : [deleted]
  }
  const created = { ...target, kind: 'ref.created', facts: { ...change, sha: after } } as const
  return refType === 'tag' || isAbsent(before) ? [created, pushed] : [pushed]
}

/** Returns whether a stored event describes this ref update, so that the update is not recorded twice. */
export function isEventOf(event: StoredEvent, { ref: name, before, after }: RefUpdate): boolean {
  const ref = shownName(name)
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
