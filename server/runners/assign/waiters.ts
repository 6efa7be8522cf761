import type { Db } from '@/db/client'
import { hubOf, type Signal } from '@/server/events'
import { singleton } from '@/server/kernel/singleton'
import { countDemand, type Demand, type Reach } from './store'

/** A runner that waits for a job. */
export interface Waiter {
  /**
   * Says that it searches now: what changes from then on wakes it. The function returned says whether it looked for jobs; if
   * not, others are woken for what it was woken for.
   */
  searches(): (hasLooked: boolean) => void
  /** Says which jobs it can take, before it looks for them. */
  reaches(reach: Reach | undefined): void
  /** Waits until there may be a job for it, at most so long. Returns whether it was woken. */
  woken(ms: number, signal: AbortSignal | undefined): Promise<boolean>
  /** Ends its place in the line. If it was woken and did not look for jobs since, the next one is woken. */
  leave(): void
}

/** The runners that wait for jobs in this process, in the order in which they came. */
export interface Waiters {
  /** Undefined where the runner waits already: one that asks many times at once would hold up the others. */
  join(runnerId: number): Waiter | undefined
}

/** Returns the waiting runners of this process on an opened database. */
export function waitersOf(db: Db): Waiters {
  const known = singleton('waiting runners', () => new WeakMap<object, Waiters>())
  const hub = hubOf(db)
  const found = known.get(hub) ?? createWaiters(db)
  known.set(hub, found)
  return found
}

type RepositoryKey = { repositoryId: number; ownerId: number }

interface Entry {
  runnerId: number
  reach: Reach | undefined
  /** What it was woken for and did not answer yet. */
  wokenFor: (RepositoryKey | 'itself')[]
  endWait: (() => void) | undefined
}

function createWaiters(db: Db): Waiters {
  const line = new Set<Entry>()
  const inLine = new Set<number>()
  // Repositories with jobs that nobody was woken for yet, and their owners.
  const queued = new Map<number, number>()
  let isWaking = false
  hubOf(db).listen(signals => {
    if (line.size > 0) for (const signal of signals) hear(signal)
  })

  function hear(signal: Signal): void {
    if (signal.kind === 'jobs.queued') note(signal)
    if (signal.kind === 'missed') for (const entry of line) wake(entry, 'itself')
    if (signal.kind === 'runner.changed') {
      for (const entry of line) if (entry.runnerId === signal.runnerId) wake(entry, 'itself')
    }
  }

  function note({ repositoryId, ownerId }: RepositoryKey): void {
    queued.set(repositoryId, ownerId)
    if (!isWaking) void wakeMatching()
  }

  async function wakeMatching(): Promise<void> {
    isWaking = true
    while (queued.size > 0 && line.size > 0) {
      const owners = new Map(queued)
      queued.clear()
      // Without an answer, those who wait ask again within seconds.
      const demands = await countDemand(db, [...owners.keys()]).catch(() => [])
      const assigned = new Set<Entry>()
      for (const demand of demands) {
        wakeFor(
          demand,
          { repositoryId: demand.repository_id, ownerId: owners.get(demand.repository_id) ?? 0 },
          assigned,
        )
      }
    }
    isWaking = false
  }

  // As many as there are jobs; those that were woken and have not searched yet count.
  function wakeFor({ labels, count }: Demand, repository: RepositoryKey, assigned: Set<Entry>): void {
    let left = count
    for (const entry of line) {
      if (left === 0) return
      if (assigned.has(entry) || !entry.reach || !reaches(entry.reach, repository, labels)) continue
      assigned.add(entry)
      left--
      wake(entry, repository)
    }
  }

  function wake(entry: Entry, wokenFor: RepositoryKey | 'itself'): void {
    entry.wokenFor.push(wokenFor)
    entry.endWait?.()
  }

  function passOn(wokenFor: readonly (RepositoryKey | 'itself')[]): void {
    for (const repository of wokenFor) if (repository !== 'itself') note(repository)
  }

  return {
    join(runnerId) {
      if (inLine.has(runnerId)) return undefined
      const entry: Entry = { runnerId, reach: undefined, wokenFor: [], endWait: undefined }
      line.add(entry)
      inLine.add(runnerId)
      return {
        searches() {
          const known = entry.wokenFor.length
          return hasLooked => {
            const answered = entry.wokenFor.splice(0, known)
            if (!hasLooked) passOn(answered)
          }
        },
        reaches(reach) {
          entry.reach = reach
        },
        async woken(ms, signal) {
          if (entry.wokenFor.length === 0 && !signal?.aborted) await waitFor(entry, ms, signal)
          return entry.wokenFor.length > 0
        },
        leave() {
          line.delete(entry)
          inLine.delete(runnerId)
          passOn(entry.wokenFor)
        },
      }
    },
  }
}

async function waitFor(entry: Entry, ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>(resolve => {
    const timer = setTimeout(resolve, ms)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    entry.endWait = end
    signal?.addEventListener('abort', end, { once: true })
  })
  entry.endWait = undefined
}

function reaches(
  { owner_id, repository_id, labels: own }: Reach,
  { repositoryId, ownerId }: RepositoryKey,
  labels: readonly string[],
): boolean {
  const isInReach =
    repository_id === null ? owner_id === null || owner_id === ownerId : repository_id === repositoryId
  return isInReach && labels.every(label => own.includes(label))
}
