import { type Insertable, sql, type Transaction } from 'kysely'
import { anyOf } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { HookAttemptsTable } from '@/db/tables/hooks'
import { withTransaction } from '@/db/transaction'
import { announce } from '@/server/events'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { compress } from '@/server/kernel/gzip'
import { lockOwners } from '@/server/scopes'
import { lockHooks } from './lock-hooks'
import type { Result } from './outcome'
import { updateHealth } from './update-health'

/**
 * Records the results of deliveries in one transaction: the attempts, the times of the next attempts, and
 * which webhooks are failing or disabled. An attempt that ended after its lease, or after another attempt was
 * requested, is recorded but does not change the delivery's state.
 */
export async function writeResults(ctx: ServiceCtx, results: readonly Result[]): Promise<void> {
  const attempts = await Promise.all(results.map(attemptOf))
  await withTransaction(ctx.db, async trx => {
    // Disabling a webhook records an event for its owner.
    const failed = results.filter(({ error }) => error !== undefined)
    await lockOwners(
      trx,
      failed.map(({ due }) => ({ accountId: due.account_id, repositoryId: due.repository_id })),
    )
    // Locks webhooks before deliveries, each in the order of their IDs, as the deletion of a webhook does.
    const hooks = await lockHooks(
      trx,
      results.map(({ due }) => due.hook_id),
    )
    const current = await lockDeliveries(trx, results)
    const written = await findWritten(
      trx,
      results.filter(result => !isOurs(result, current.get(result.due.id))),
    )
    const kept = results.flatMap((result, at) => {
      const row = current.get(result.due.id)
      const isNew = row && hooks.has(result.due.hook_id) && !written.has(result)
      return isNew ? [{ result, attempt: attempts[at], row }] : []
    })
    const rows = kept.flatMap(({ attempt, row }) =>
      attempt ? [{ ...attempt, number: row.attempts + 1 }] : [],
    )
    if (rows.length > 0) await trx.insertInto('hook_attempts').values(rows).execute()
    const deciding = kept.filter(({ result, row }) => isOurs(result, row)).map(({ result }) => result)
    const late = kept.filter(({ result, row }) => result.attempt && !isOurs(result, row))
    await updateDeliveries(ctx, trx, deciding)
    if (late.length > 0)
      await countAttempts(
        trx,
        late.map(({ result }) => result.due.id),
      )
    const sent = kept.map(({ result }) => result)
    await updateHealth(ctx, trx, sent, hooks)
    for (const { due } of sent) announce(trx, { kind: 'hook.delivery_changed', hookId: due.hook_id })
  })
}

/**
 * Updates only the state of a delivery whose attempt cannot be recorded, because the delivery would otherwise
 * be repeated forever.
 */
export async function writeOutcome(
  { db, clock }: ServiceCtx,
  { due, outcome, attempt }: Result,
): Promise<void> {
  const next = outcome.status === 'pending' ? outcome.next : null
  await db
    .updateTable('hook_deliveries')
    .set(eb => ({
      status: outcome.status,
      next_attempt_at: next,
      leased_until: null,
      finished_at: next ? null : clock.now(),
      tries: eb('tries', '+', attempt ? 1 : 0),
      last_error: 'the result could not be saved; see the server log',
    }))
    .where('id', '=', due.id)
    .where('leased_until', '=', due.leased_until)
    .execute()
}

async function attemptOf({
  due,
  attempt,
  error,
}: Result): Promise<Omit<Insertable<HookAttemptsTable>, 'number'> | undefined> {
  if (!attempt) return undefined
  const { answer, durationMs } = attempt.exchange
  return {
    delivery_id: due.id,
    hook_id: due.hook_id,
    cause: due.cause,
    started_at: attempt.startedAt,
    duration_ms: durationMs,
    url_sealed: due.url_sealed,
    request_headers: JSON.stringify(attempt.headers),
    status: answer?.status ?? null,
    response_headers: answer ? JSON.stringify(answer.headers) : null,
    response_body: answer ? await compress(answer.body) : null,
    response_truncated: answer?.isTruncated ?? false,
    error: error ?? null,
  }
}

interface DeliveryState {
  id: number
  attempts: number
  leased_until: Date | null
}

async function lockDeliveries(
  trx: Transaction<Database>,
  results: readonly Result[],
): Promise<Map<number, DeliveryState>> {
  const rows = await trx
    .selectFrom('hook_deliveries')
    .select(['id', 'attempts', 'leased_until'])
    .where('id', '=', anyOf(results.map(({ due }) => due.id)))
    .orderBy('id')
    .forUpdate()
    .execute()
  return new Map(rows.map(row => [row.id, row]))
}

const isOurs = ({ due }: Result, row: DeliveryState | undefined): boolean =>
  row?.leased_until?.getTime() === due.leased_until.getTime()

// If the confirmation of a commit is lost, the same results are written again.
async function findWritten(trx: Transaction<Database>, late: readonly Result[]): Promise<Set<Result>> {
  if (late.length === 0) return new Set()
  const rows = await trx
    .selectFrom('hook_attempts')
    .select(['delivery_id', 'started_at'])
    .where('delivery_id', '=', anyOf(late.map(({ due }) => due.id)))
    .execute()
  const known = new Set(rows.map(row => `${row.delivery_id} ${row.started_at.getTime()}`))
  return new Set(
    late.filter(({ due, attempt }) => attempt && known.has(`${due.id} ${attempt.startedAt.getTime()}`)),
  )
}

async function updateDeliveries(
  ctx: ServiceCtx,
  trx: Transaction<Database>,
  results: readonly Result[],
): Promise<void> {
  if (results.length === 0) return
  const column = <T>(of: (result: Result) => T): T[] => results.map(of)
  const nexts = column(({ outcome }) => (outcome.status === 'pending' ? outcome.next : null))
  await sql`
    update hook_deliveries d
    set status = r.status, next_attempt_at = r.next,
      last_status = case when r.made = 1 then r.answer else d.last_status end,
      last_error = case when r.made = 1 or r.error is not null then r.error else d.last_error end,
      attempts = d.attempts + r.made, tries = d.tries + r.made, leased_until = null,
      cause = case when r.made = 1 and r.next is not null then 'retry' else d.cause end,
      finished_at = case when r.next is null then ${ctx.clock.now()}::timestamptz end
    from unnest(
      ${column(({ due }) => due.id)}::bigint[], ${column(({ outcome }) => outcome.status)}::text[],
      ${nexts}::timestamptz[], ${column(({ attempt }) => attempt?.exchange.answer?.status ?? null)}::integer[],
      ${column(({ error }) => error ?? null)}::text[], ${column(({ attempt }) => (attempt ? 1 : 0))}::integer[]
    ) as r (id, status, next, answer, error, made)
    where d.id = r.id`.execute(trx)
}

async function countAttempts(trx: Transaction<Database>, ids: readonly number[]): Promise<void> {
  await trx
    .updateTable('hook_deliveries')
    .set(eb => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', '=', anyOf(ids))
    .execute()
}
