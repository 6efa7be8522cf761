import type { EndReason } from '@/db/tables/end-reasons'
import type { RunConclusion } from '@/db/tables/workflow-runs'
import { type Before, conclusionOf, groupByKey, type JobState, readBeforeOf, scopedKey } from './status'
import type { ResolvedJob } from './workflow/resolve-job'

// What they read is loaded for all of them at once.
const maxEvaluatedPerRound = 20

/**
 * What happens to a job whose needs have completed: it runs as it is or, evaluated now, as one job for each
 * combination of its matrix; it ends without running; or it cannot be decided yet.
 */
export type Decision =
  | 'run'
  | 'later'
  | { rows: readonly ResolvedJob[] }
  | { end: RunConclusion; reason: EndReason; message: string }

export type Decide<Job> = (job: Job, before: Before | undefined) => Decision

/** Job that can be released. */
export type Releasable = JobState & {
  position: number
  end_reason: EndReason | null
  end_message: string
}

export interface Released<Job> {
  changed: Job[]
  /** Further jobs of matrices that were expanded, which have no rows yet. */
  added: Job[]
}

/**
 * Releases every waiting job whose needs have all completed: a job that runs is queued, any other is completed,
 * which can release more jobs. Of a matrix with `max-parallel`, no more jobs are queued at a time. Yields the
 * jobs that it is about to evaluate, a few at a time, and no jobs before it evaluates each of them, which can take
 * some milliseconds.
 */
export function* releaseInRounds<Job extends Releasable>(
  jobs: readonly Job[],
  decide: Decide<Job>,
): Generator<Job[], Released<Job>> {
  const changed = new Map<number, Job>()
  const added: Job[] = []
  const line = createLine(jobs)
  for (let round = line.free(); round.length > 0; round = line.free()) {
    for (let at = 0; at < round.length; at += maxEvaluatedPerRound) {
      const evaluated = round.slice(at, at + maxEvaluatedPerRound)
      yield evaluated
      for (const job of evaluated) {
        yield []
        const decision = decide(job, line.before(job))
        if (decision === 'later') continue
        if (decision === 'run') changed.set(job.position, { ...job, status: 'queued' })
        else if ('rows' in decision) {
          const rows = decision.rows.map(
            (row, index): Job => ({ ...job, ...row, position: job.position + index, status: 'queued' }),
          )
          for (const [index, row] of rows.entries())
            index === 0 ? changed.set(row.position, row) : added.push(row)
        } else {
          const { end: conclusion, reason: end_reason, message: end_message } = decision
          const ended: Job = { ...job, status: 'completed', conclusion, end_reason, end_message }
          changed.set(job.position, ended)
          line.end(job, ended)
        }
      }
    }
  }
  return admit(jobs, { changed, added })
}

/** Holds released jobs beyond `max-parallel` of their matrix, and queues held ones as far as it allows. */
function admit<Job extends Releasable>(
  jobs: readonly Job[],
  { changed, added }: { changed: Map<number, Job>; added: readonly Job[] },
): Released<Job> {
  const current = [...jobs.map(job => changed.get(job.position) ?? job), ...added]
  const isNew = (job: Job): boolean => changed.has(job.position) || added.includes(job)
  for (const same of groupByKey(current.filter(({ max_parallel }) => max_parallel !== null)).values()) {
    const isAsking = (job: Job): boolean =>
      job.hold === 'max_parallel' || (job.status === 'queued' && isNew(job))
    const active = same.filter(job => isActive(job) && !isAsking(job)).length
    const asking = same.filter(isAsking).sort((a, b) => a.position - b.position)
    const most = Math.max(0, (same[0]?.max_parallel ?? asking.length) - active)
    for (const [index, job] of asking.entries()) {
      const isHeld = index >= most
      const next: Job = {
        ...job,
        status: isHeld ? 'waiting' : 'queued',
        hold: isHeld ? 'max_parallel' : null,
      }
      if (next.status === job.status && next.hold === job.hold) continue
      if (added.includes(job)) Object.assign(job, next)
      else changed.set(job.position, next)
    }
  }
  return { changed: [...changed.values()], added: [...added] }
}

const isActive = ({ status, hold, called_id }: JobState): boolean =>
  status === 'queued' ||
  status === 'in_progress' ||
  (status === 'waiting' && (hold === 'concurrency' || hold === 'call' || Boolean(called_id)))

/**
 * Tracks which waiting jobs have no open needs left, with constant work per dependency however many jobs
 * complete.
 */
function createLine<Job extends Releasable>(jobs: readonly Job[]) {
  const groups = groupByKey(jobs)
  const open = new Map([...groups].map(([key, same]) => [key, same.filter(isOpen).length]))
  const results = new Map<string, RunConclusion>()
  const before = readBeforeOf(jobs, results)
  const dependents = new Map<string, Job[]>()
  const missing = new Map<Job, number>()
  let free: Job[] = []
  const shut = shutCalls(jobs)
  for (const job of jobs) {
    if (job.status !== 'waiting' || job.hold || job.called_id || shut.has(job.parent_position)) continue
    const needs = new Set(job.needs.map(key => scopedKey(job, key)))
    missing.set(job, needs.size)
    for (const key of needs) {
      const found = dependents.get(key)
      if (found) found.push(job)
      else dependents.set(key, [job])
    }
    if (needs.size === 0) free.push(job)
  }
  const settle = (key: string): void => {
    const conclusion = conclusionOf(groups.get(key) ?? [])
    if (!conclusion) return
    results.set(key, conclusion)
    for (const job of dependents.get(key) ?? []) {
      const left = (missing.get(job) ?? 0) - 1
      missing.set(job, left)
      if (left === 0) free.push(job)
    }
  }
  for (const [key, count] of open) if (count === 0) settle(key)
  return {
    /** Returns the jobs that have become free since the last call. */
    free(): Job[] {
      const found = free
      free = []
      return found
    },
    before: (job: Job): Before | undefined => before(job),
    /** Records that a job has completed. */
    end(job: Job, ended: Job): void {
      const key = scopedKey(job, job.job_key)
      const same = groups.get(key) ?? []
      same[same.indexOf(job)] = ended
      const left = (open.get(key) ?? 0) - 1
      open.set(key, left)
      if (left === 0) settle(key)
    },
  }
}

/** Returns the positions of calls whose jobs cannot start because a call waits for a concurrency group. */
function shutCalls(jobs: readonly Releasable[]): Set<unknown> {
  const calls = jobs.filter(({ called_id }) => called_id).sort((a, b) => a.position - b.position)
  const shut = new Set<unknown>()
  for (const { position, parent_position, hold } of calls)
    if (hold === 'concurrency' || shut.has(parent_position)) shut.add(position)
  return shut
}

const isOpen = ({ status }: JobState): boolean => status !== 'completed'
