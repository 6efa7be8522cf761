import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { type Assigned, assignJobs, type Taker } from '@/server/actions'
import type { RunnerCtx, ServiceCtx } from '@/server/kernel/ctx'
import { hasLabel } from '../label-text'
import { isPaused } from '../state'
import type { RunnerRow } from '../store'
import { prepareContent, type TaskContent } from './content'
import { type Candidate, type LockedRunner, lockAskingRunners } from './store'

/** Task that was assigned to a runner, with the builder of its content. */
export interface Claimed extends Assigned {
  runner: RunnerRow
  content: TaskContent
}

/** Runner with the job to assign to it. */
interface Pair {
  runnerId: number
  candidate: Candidate
}

/**
 * Assigns jobs of one run to different runners in one transaction. Returns the outcome by job id: the
 * assigned task, or `refused` if the runner may not take the job within that transaction. A job that another
 * process assigned first is absent.
 * @throws {Error} as `assignJobs`.
 */
export async function giveJobs(
  { caller: _, disconnected: __, ...rest }: RunnerCtx,
  pairs: readonly Pair[],
): Promise<Map<number, Claimed | 'refused'>> {
  const [first] = pairs
  if (!first) return new Map()
  // The system is the caller, because the request of any single runner can end before the others have
  // received their jobs.
  const caller = { kind: 'system', job: 'runners.assign' } as const
  const ctx: ServiceCtx = { ...rest, caller, requestId: caller.job, remoteAddress: '' }
  const { run_id, repository_id, owner_id } = first.candidate
  const content = await prepareContent(ctx, run_id)
  if (!content) return new Map()

  const steps = await content.steps(pairs.map(({ candidate }) => candidate))
  let runners: ReadonlyMap<number, LockedRunner> | undefined
  const runnerFor = ({ runnerId, candidate: { labels } }: Pair): LockedRunner | undefined => {
    const runner = runners?.get(runnerId)
    const fits =
      runner && mayTakeAny(runner, ctx.clock.now()) && labels.every(label => hasLabel(runner.labels, label))
    return fits ? runner : undefined
  }
  const admit = async (trx: Transaction<Database>): Promise<Map<number, Taker>> => {
    runners = await lockAskingRunners(
      trx,
      pairs.map(({ runnerId }) => runnerId),
    )
    const takers = new Map<number, Taker>()
    for (const pair of pairs) {
      const runner = runnerFor(pair)
      if (runner) takers.set(pair.candidate.id, takerOf(runner, steps.get(pair.candidate.id) ?? []))
    }
    return takers
  }
  const jobIds = pairs.map(({ candidate }) => candidate.id)
  const assigned = await assignJobs(ctx, { run_id, repository_id, owner_id, jobIds }, admit)
  const byJob = new Map(assigned.map(each => [each.job.id, each]))

  const outcomes = new Map<number, Claimed | 'refused'>()
  for (const pair of pairs) {
    const { id } = pair.candidate
    const [task, runner] = [byJob.get(id), runnerFor(pair)]
    if (task && runner) outcomes.set(id, { ...task, runner, content })
    else if (runners && !runner) outcomes.set(id, 'refused')
  }
  return outcomes
}

const takerOf = ({ id, name, capabilities }: LockedRunner, steps: readonly string[]): Taker => ({
  id,
  name,
  canCancel: capabilities.includes('cancelling'),
  steps,
})

/** Whether a runner can currently be assigned a job. */
export const mayTakeAny = (runner: LockedRunner, now: Date): boolean =>
  !runner.retired_at && !runner.is_used && !isPaused(runner, now)
