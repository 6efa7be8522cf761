import type { NewEvent } from '@/server/kernel/events/record'
import { type BranchHistory, branchHistories } from './history'
import { isAbsent, isBranch, isTag, type RefUpdate } from './ref-update'

// Thousands of refs in one push are a mirror being filled: nobody reads of each.
const mostTold = 50

type Told = Pick<NewEvent, 'kind' | 'facts'>

/** What to tell of a push: each branch and tag, up to fifty, and then how many there were. */
export async function pushEvents(repository: string, updates: readonly RefUpdate[]): Promise<Told[]> {
  const shown = updates.filter(({ ref }) => isBranch(ref) || isTag(ref))
  const first = shown.slice(0, mostTold)
  const moved = first.filter(({ ref, after }) => isBranch(ref) && !isAbsent(after))
  const histories = await branchHistories(repository, moved)
  const historyOf = new Map(moved.map((update, index) => [update, histories[index]]))
  const told = first.flatMap(update => eventsOf(update, historyOf.get(update)))
  if (shown.length > mostTold) told.push({ kind: 'refs.changed', facts: { refs: shown.length } })
  return told
}

// A tag that is moved is told like a new one.
function eventsOf(update: RefUpdate, history: BranchHistory | undefined): Told[] {
  const { ref, before, after } = update
  const refType = isTag(ref) ? 'tag' : 'branch'
  if (isAbsent(after)) return [{ kind: 'ref.deleted', facts: { ref, refType, sha: before } }]
  const created: Told = { kind: 'ref.created', facts: { ref, refType, sha: after } }
  if (!history) return [created]
  const pushed: Told = { kind: 'git.pushed', facts: { ref, before, after, ...history } }
  return isAbsent(before) ? [created, pushed] : [pushed]
}

/** Do the facts of an event tell of this update? */
export function tellsOf(facts: Record<string, unknown>, { ref, before, after }: RefUpdate): boolean {
  if (facts.ref !== ref) return false
  if ('after' in facts) return facts.before === before && facts.after === after
  return facts.sha === (isAbsent(after) ? before : after)
}
