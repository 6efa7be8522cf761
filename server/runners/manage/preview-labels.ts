import type { UserCtx } from '@/server/kernel/ctx'
import { wireTime } from '@/server/kernel/wire'
import { readLabels } from '../declared'
import type { RunnerFor } from '../load'
import { scopeOf } from '../store'
import { selectDemand } from '../waiting/store'
import type { LabelsPreview } from './schema'

const maxChanges = 20

/**
 * Counts the waiting jobs that a runner can take with its current labels and with the requested ones, and
 * returns which sets of labels it would gain and lose.
 * @throws {DomainError} invalid for unusable labels.
 */
export async function previewLabels(
  ctx: UserCtx,
  { runner }: RunnerFor,
  requested: readonly string[],
): Promise<LabelsPreview> {
  const [before, after] = [new Set(runner.labels), new Set(readLabels(requested))]
  const scope = await scopeOf(ctx.db, runner)
  const demand = scope ? await selectDemand(ctx.db, scope, [...before, ...after]) : []
  const isFor = (labels: ReadonlySet<string>, wanted: readonly string[]) =>
    wanted.every(label => labels.has(label))
  const count = (labels: ReadonlySet<string>) =>
    demand.filter(each => isFor(labels, each.labels)).reduce((sum, each) => sum + each.count, 0)
  const changes = demand.flatMap(({ labels, count, oldest }) => {
    const [was, is] = [isFor(before, labels), isFor(after, labels)]
    if (was === is) return []
    return [{ labels, count, oldest_queued_at: wireTime(oldest), change: is ? 'gained' : 'lost' } as const]
  })
  return { before: count(before), after: count(after), changes: changes.slice(0, maxChanges) }
}
