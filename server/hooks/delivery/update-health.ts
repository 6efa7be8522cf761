import { sql, type Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { recordHookEvent } from '../record'
import type { LockedHook } from './lock-hooks'
import { disabledMessage, type Result } from './outcome'

/**
 * A webhook is disabled if it has failed for this many milliseconds without a success, and at least
 * `minFailures` times.
 */
const maxFailingMs = 5 * 24 * 60 * 60 * 1000
const minFailures = 10
// Postpones at most this many deliveries per webhook. The rest are postponed when they are due.
const maxPutOff = 10_000

/**
 * Updates the health of webhooks from the results of their deliveries. Records since when they have been
 * failing, or that they recovered. Disables webhooks whose receiver responds with 410, or that failed for
 * five days and at least ten times without a success. Postpones deliveries to receivers that asked for a
 * delay. A successful ping or test counts as a recovery, but a failed one does not count as a failure.
 */
export async function updateHealth(
  ctx: ServiceCtx,
  trx: Transaction<Database>,
  results: readonly Result[],
  hooks: ReadonlyMap<number, LockedHook>,
): Promise<void> {
  const now = ctx.clock.now()
  for (const hook of hooks.values()) {
    const made = results.filter(({ due, attempt }) => attempt && due.hook_id === hook.id)
    const last = made.at(-1)
    if (!last) continue
    const hasSucceeded = made.some(({ error }) => error === undefined)
    const hasFailed = !hasSucceeded && made.some(({ due }) => due.kind === 'event')
    const failingSince = hasSucceeded ? null : (hook.failing_since ?? (hasFailed ? now : null))
    if (failingSince?.getTime() !== hook.failing_since?.getTime()) {
      await trx.updateTable('hooks').set({ failing_since: failingSince }).where('id', '=', hook.id).execute()
    }
    const hasRefused = made.some(({ outcome }) => outcome.status === 'failed' && outcome.disables)
    const isFailing =
      hasFailed &&
      failingSince !== null &&
      now.getTime() - failingSince.getTime() >= maxFailingMs &&
      (await hasFailedOften(trx, hook.id, failingSince))
    if (hasRefused || isFailing)
      await disable(ctx, trx, hook, last.due.account_id, hasRefused ? 'gone' : 'failing')
    else await putOff(trx, hook.id, busyUntil(made))
  }
}

// Counted only when it matters, because a webhook with few events may fail only a few times in five days.
async function hasFailedOften(trx: Transaction<Database>, hookId: number, since: Date): Promise<boolean> {
  const failures = await trx
    .selectFrom('hook_attempts')
    .innerJoin('hook_deliveries', 'hook_deliveries.id', 'hook_attempts.delivery_id')
    .select('hook_attempts.id')
    .where('hook_attempts.hook_id', '=', hookId)
    .where('hook_deliveries.kind', '=', 'event')
    .where('hook_attempts.started_at', '>=', since)
    .orderBy('hook_attempts.started_at', 'desc')
    .limit(minFailures)
    .execute()
  return failures.length === minFailures
}

function busyUntil(results: readonly Result[]): Date | undefined {
  const asked = results.flatMap(({ outcome }) => (outcome.status === 'pending' && outcome.busyUntil) || [])
  return asked.sort((a, b) => b.getTime() - a.getTime())[0]
}

/**
 * Disables a webhook and marks its pending deliveries as failed, so that they are not sent when it is
 * activated again.
 */
async function disable(
  ctx: ServiceCtx,
  trx: Transaction<Database>,
  hook: LockedHook,
  ownerId: number | null,
  why: 'gone' | 'failing',
): Promise<void> {
  if (!hook.is_active || hook.disabled_reason !== null) return
  await trx.updateTable('hooks').set({ disabled_reason: why }).where('id', '=', hook.id).execute()
  await trx
    .updateTable('hook_deliveries')
    .set({
      status: 'failed',
      next_attempt_at: null,
      finished_at: ctx.clock.now(),
      last_error: disabledMessage(why),
    })
    .where('id', '=', idsOfWaiting(trx, hook.id))
    .execute()
  const { id: hookId, type, target, scope, repository_id: repositoryId } = hook
  const facts = { hookId, type, target, scope, repositoryId, why }
  await recordHookEvent(ctx, trx, { kind: 'hook.disabled', ownerId, facts })
  ctx.log.info({ hookId, why }, 'a webhook was disabled')
}

async function putOff(trx: Transaction<Database>, hookId: number, until: Date | undefined): Promise<void> {
  if (!until) return
  await trx.updateTable('hooks').set({ busy_until: until }).where('id', '=', hookId).execute()
  await trx
    .updateTable('hook_deliveries')
    .set({ next_attempt_at: until })
    .where('id', '=', idsOfWaiting(trx, hookId, until))
    .execute()
}

// Deliveries that are being sent are left to their senders.
function idsOfWaiting(trx: Transaction<Database>, hookId: number, dueBefore?: Date) {
  const waiting = trx
    .selectFrom('hook_deliveries')
    .select('id')
    .where('hook_id', '=', hookId)
    .where('status', '=', 'pending')
    .where('leased_until', 'is', null)
    .orderBy('created_at', 'desc')
    .limit(maxPutOff)
    .forUpdate()
    .skipLocked()
  return sql<number>`any (array(${dueBefore ? waiting.where('next_attempt_at', '<', dueBefore) : waiting}))`
}
