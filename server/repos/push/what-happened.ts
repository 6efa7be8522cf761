import { eachRef } from '@/server/kernel/git/refs'
import { isAncestor } from './history'
import { type Budget, startBudget } from './in-time'
import { isAbsent, isBranch, type RefUpdate } from './ref-update'

/** Which of these updates were done, judging by the refs as they are now: all that is left to go by after a crash. */
export async function whatHappened(repository: string, wanted: readonly RefUpdate[]): Promise<RefUpdate[]> {
  const current = new Map<string, string>()
  const sought = new Set(wanted.map(update => update.ref))
  await eachRef(repository, 'refs/', ({ ref, id }) => {
    if (sought.has(ref)) current.set(ref, id)
  })
  const budget = startBudget()
  const done: RefUpdate[] = []
  for (const update of wanted) {
    if (await isDone(repository, update, current.get(update.ref), budget)) done.push(update)
  }
  return done
}

async function isDone(
  repository: string,
  update: RefUpdate,
  now: string | undefined,
  budget: Budget,
): Promise<boolean> {
  const { ref, before, after } = update
  if (isAbsent(after)) return now === undefined
  if (now === undefined) return false
  if (now === after) return true
  // Somebody may have pushed on top of it since.
  return isBranch(ref) && now !== before && (await isAncestor(repository, after, now, budget)) === true
}
