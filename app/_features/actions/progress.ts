import { isolated } from '@/app/_lib/visible-text'
import type { Progress, ShownJob } from '@/server/actions/runs/schema'

export type Outcome = 'queued' | 'waiting' | 'in_progress' | 'success' | 'failure' | 'cancelled' | 'skipped'

/** Returns the conclusion of a completed job or run, or otherwise its status. */
export function outcomeOf({ status, conclusion }: Pick<Progress, 'status' | 'conclusion'>): Outcome {
  return status === 'completed' ? (conclusion ?? 'success') : status
}

export const outcomeLabels: Record<Outcome, string> = {
  queued: 'Queued',
  waiting: 'Waiting',
  in_progress: 'Running',
  success: 'Succeeded',
  failure: 'Failed',
  cancelled: 'Canceled',
  skipped: 'Skipped',
}

/** Returns how long something took, such as "1m 3s". Undefined if it never started or is not completed. */
export function durationOf({
  started_at,
  completed_at,
}: Pick<Progress, 'started_at' | 'completed_at'>): string | undefined {
  if (started_at === null || completed_at === null) return undefined
  return durationText((Date.parse(completed_at) - Date.parse(started_at)) / 1000)
}

/** Formats a number of seconds in its two largest units. */
export function durationText(seconds: number): string {
  const total = Math.max(0, Math.round(seconds))
  const parts = [
    [Math.floor(total / 86_400), 'd'],
    [Math.floor(total / 3600) % 24, 'h'],
    [Math.floor(total / 60) % 60, 'm'],
    [total % 60, 's'],
  ] as const
  const first = parts.findIndex(([amount]) => amount > 0)
  if (first < 0) return '0s'
  return parts
    .slice(first, first + 2)
    .flatMap(([amount, unit]) => (amount > 0 ? `${amount}${unit}` : []))
    .join(' ')
}

const order: readonly Outcome[] = [
  'failure',
  'in_progress',
  'queued',
  'waiting',
  'success',
  'cancelled',
  'skipped',
]

/** Counts the jobs of each outcome, worst first, without outcomes that no job has. */
export function countOutcomes(jobs: readonly ShownJob[]): { outcome: Outcome; count: number }[] {
  // A call of a reusable workflow stands for its jobs.
  const own = jobs.filter(
    ({ uses, status, end_text }) => uses === null || (status === 'completed' && end_text),
  )
  return order.flatMap(outcome => {
    const count = own.filter(job => outcomeOf(job) === outcome).length
    return count > 0 ? { outcome, count } : []
  })
}

/** Returns the counts as text, such as "1 failed, 3 succeeded". */
export const countText = (jobs: readonly ShownJob[]): string =>
  countOutcomes(jobs)
    .map(({ outcome, count }) => `${count.toLocaleString('en-US')} ${outcomeLabels[outcome].toLowerCase()}`)
    .join(', ')

/**
 * Returns why a job has not started or was skipped: what it waits for, or which of the jobs it needs did not
 * succeed. Undefined for every other job.
 */
export function reasonOf(job: ShownJob, jobs: readonly ShownJob[]): string | undefined {
  const outcome = outcomeOf(job)
  const needed = (matches: (outcome: Outcome) => boolean): string[] =>
    job.needs.filter(key => jobs.some(one => isIn(job, key, one) && matches(outcomeOf(one)))).map(isolated)
  if (outcome === 'queued') {
    if (job.runner_group !== null) return `Waiting for a runner in the group ${isolated(job.runner_group)}`
    return job.labels.length > 0
      ? `Waiting for a runner with ${list(job.labels.map(isolated))}`
      : 'Waiting for a runner'
  }
  if (outcome === 'waiting') {
    if (job.hold === 'concurrency')
      return `Waiting for the concurrency group ${isolated(job.concurrency ?? '')}`
    if (job.hold === 'call') return 'Reading the reusable workflow'
    if (job.hold === 'max_parallel') return 'Waiting for other jobs of the matrix'
    const pending = needed(one => one === 'queued' || one === 'waiting' || one === 'in_progress')
    return pending.length > 0 ? `Waiting for ${list(pending)}` : 'Waiting'
  }
  if (outcome === 'skipped') {
    const unmet = needed(one => one === 'failure' || one === 'cancelled' || one === 'skipped')
    if (job.end_reason === 'condition') return 'Skipped because its condition was false'
    return unmet.length > 0 ? `Skipped because ${list(unmet)} didn’t succeed` : 'Skipped'
  }
  return undefined
}

/**
 * Returns how the jobs of the workflow that a job has called are doing, such as "Its jobs: 1 running, 2 waiting".
 * Undefined for a job that has not called one.
 */
export function callText(job: ShownJob, jobs: readonly ShownJob[]): string | undefined {
  const counts = countText(jobsOf(job, jobs))
  return counts === '' ? undefined : `Its jobs: ${counts}`
}

const jobsOf = ({ called }: ShownJob, jobs: readonly ShownJob[]): ShownJob[] =>
  called === null
    ? []
    : jobs.filter(({ workflow }) => workflow === called).flatMap(one => [one, ...jobsOf(one, jobs)])

// Pages of jobs show the whole text.
const maxShortLength = 140

/**
 * Returns in a few words why a job failed or was canceled without a report of its runner. Undefined for every
 * other job, and for one that only shares the fate of its run.
 */
export function shortEndOf(job: ShownJob): string | undefined {
  const outcome = outcomeOf(job)
  if ((outcome !== 'failure' && outcome !== 'cancelled') || job.end_reason === 'cancelled') return undefined
  const text = job.end_text?.trim().replace(/\.$/, '')
  return text && text.length > maxShortLength ? `${text.slice(0, maxShortLength - 1).toWellFormed()}…` : text
}

const isIn = ({ workflow }: ShownJob, key: string, one: ShownJob): boolean =>
  one.key === key && one.workflow === workflow

const list = (words: readonly string[]): string => new Intl.ListFormat('en-US').format(words)
