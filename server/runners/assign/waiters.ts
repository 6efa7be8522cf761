import type { Db } from '@/db/client'
import { hubOf, type Signal } from '@/server/events'
import { singleton } from '@/server/kernel/singleton'
import { hasLabel } from '../label-text'
import { countDemand, type Demand, type Reach } from './store'

/** Runner that waits for a job. */
export interface Waiter {
  /**
   * Marks the start of a search: changes after this call wake the runner. The returned function reports
   * whether the runner did search for jobs; if not, other runners are woken for what this one was woken for.
   */
  searches(): (hasLooked: boolean) => void
  /** Sets which jobs the runner can take. Called before it searches. */
  reaches(reach: Reach | undefined): void
  /**
   * Waits for at most `ms` milliseconds until there may be a job for the runner. Returns whether it was
   * woken.
   */
  woken(ms: number, signal: AbortSignal | undefined): Promise<boolean>
  /**
   * Removes the runner from the line. If it was woken and has not searched since, the next runner is woken.
   */
  leave(): void
}

/** Runners that wait for jobs in this process, in order of arrival. */
export interface Waiters {
  /**
   * Adds a runner to the line; undefined if it is already waiting, because a runner with many concurrent
   * requests would delay the others.
   */
  join(runnerId: number): Waiter | undefined
}

/** Returns the waiting runners of this process on an open database. */
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
  /** What the runner was woken for and has not searched for yet. */
  wokenFor: (RepositoryKey | 'itself')[]
  endWait: (() => void) | undefined
}

function createWaiters(db: Db): Waiters {
  const line = new Set<Entry>()
  const inLine = new Set<number>()
  // Owners of the repositories with queued jobs for which no runner was woken yet, by repository ID.
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
      // If the query fails, waiting runners still search again within seconds.
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

  // Wakes as many runners as there are jobs, counting those that were woken but have not searched yet.
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
  return isInReach && labels.every(label => hasLabel(own, label))
}
