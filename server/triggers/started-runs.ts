import { setTimeout as delay } from 'node:timers/promises'
import { type RunSummary, selectRunsStartedBy } from '@/server/actions'
import { isWaiting, workflowConsumer } from '@/server/events'
import type { ServiceCtx } from '@/server/kernel/ctx'

const [maxWaitMs, pauseMs] = [500, 25]

/**
 * Waits up to half a second for the runs that these events start.
 * @returns the first runs, up to `limit`; undefined if events are still waiting that could start more
 */
export async function startedRuns(
  { db }: Pick<ServiceCtx, 'db'>,
  eventIds: readonly number[],
  limit: number,
): Promise<RunSummary[] | undefined> {
  const end = performance.now() + maxWaitMs
  while (await isWaiting(db, workflowConsumer, eventIds)) {
    if (performance.now() > end) return undefined
    await delay(pauseMs)
  }
  return await selectRunsStartedBy(db, eventIds, limit)
}
