import { availableParallelism } from 'node:os'
import { type BoundedCache, createBoundedCache } from '@/server/kernel/bounded-cache'
import { isAnonymous } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { tooBusy } from '@/server/kernel/errors'
import type { FairLimit, FairLimits } from '@/server/kernel/fair-limit'
import { GitTimeout, readGit } from '@/server/kernel/git/run'
import { createSharedFairLimit } from '@/server/kernel/processes/shared-fair-limit'
import { settlesWithin } from '@/server/kernel/settles-within'
import { singleton } from '@/server/kernel/singleton'
import { type Divergence, DivergenceCounter } from './divergence'

/** Counts beyond this are shown as more than it. */
export const maxCounted = 1000

interface State {
  /** By repository, base and tip; null for what takes too long to count. */
  known: BoundedCache<Divergence | null>
  walking: Map<string, Promise<void>>
  limit: FairLimit
}

const processors = availableParallelism()
const limits: FairLimits = {
  concurrency: processors,
  maxQueue: 100,
  timeoutMs: 30_000,
  address: Math.ceil(processors / 2),
  anonymousAddress: 1,
  anonymous: Math.ceil(processors / 2),
}

const state = (): State =>
  singleton('ahead-behind', () => ({
    known: createBoundedCache({ maxSize: 4 * 1024 * 1024, maxAgeMs: 60 * 60_000 }),
    walking: new Map(),
    limit: createSharedFairLimit('ahead and behind', limits, tooBusy),
  }))

const walkMs = 20_000
const maxCommits = 250_000
const bytesPerEntry = 100

/** What is known about tips, by their ID, and whether a later call can find more. */
interface Counted {
  counts: ReadonlyMap<string, Divergence>
  isFinal: boolean
}

/**
 * Counts by how many commits each of these tips is ahead of and behind a base, in one walk with fair shares per client
 * address. Returns after `waitMs` what is known; the walk continues, and a later call returns the rest. Leaves out tips
 * that take too long. Callers that wait for long must not hold a Git slot.
 */
export async function countDivergence(
  client: Pick<ServiceCtx, 'caller' | 'remoteAddress'>,
  { repository, base, tips }: { repository: string; base: string; tips: readonly string[] },
  waitMs: number,
): Promise<Counted> {
  const { known, walking, limit } = state()
  const keyOf = (tip: string): string => `${repository} ${base}...${tip}`
  const missing = [...new Set(tips)].filter(tip => known.get(keyOf(tip)) === undefined)
  if (missing.length > 0) {
    const key = `${keyOf('')} ${missing.join(' ')}`
    const address = { address: client.remoteAddress, isAnonymous: isAnonymous(client.caller) }
    const walk =
      walking.get(key) ??
      limit(address, () => walkHistory(repository, base, missing))
        .then(counts => {
          for (const [index, tip] of missing.entries())
            known.set(keyOf(tip), counts[index] ?? null, keyOf(tip).length + bytesPerEntry)
        })
        // The branches are shown without their counts.
        .catch(() => undefined)
        .finally(() => walking.delete(key))
    walking.set(key, walk)
    await settlesWithin(waitMs, walk)
  }
  const counts = new Map<string, Divergence>()
  let isFinal = true
  for (const tip of tips) {
    const found = known.get(keyOf(tip))
    if (found) counts.set(tip, found)
    isFinal &&= found !== undefined
  }
  return { counts, isFinal }
}

const settled = new Error('all counts are known')
const tooMany = new Error('too many commits')

/** Returns the counts of the tips in their order; undefined for those that take too long. */
export async function walkHistory(
  repository: string,
  base: string,
  tips: readonly string[],
): Promise<(Divergence | undefined)[]> {
  const counter = new DivergenceCounter(base, tips, maxCounted)
  let rest = ''
  let commits = 0
  const args = ['rev-list', '--topo-order', '--parents', base, ...tips]
  try {
    await readGit(args, { repository, timeoutMs: walkMs }, chunk => {
      const lines = (rest + chunk.toString('latin1')).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const [id = '', ...parents] = line.split(' ')
        counter.take(id, parents)
        if (counter.isSettled) throw settled
        if (++commits === maxCommits) throw tooMany
      }
    })
  } catch (error) {
    if (error !== settled && error !== tooMany && !(error instanceof GitTimeout)) throw error
  }
  return counter.counts()
}
