import { type RawBuilder, sql } from 'kysely'
import type { Db } from '@/db/client'
import { affectedRows, inSubquery } from '@/db/sql'
import { withTransaction } from '@/db/transaction'
import { dayMs } from '@/server/kernel/clock'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { defineJob } from '@/server/kernel/jobs'
import type { NewNotification } from './store'
import { writeNotifications } from './write'

/** Credentials are announced this long before they expire. */
const noticeMs = 7 * dayMs
const maxAgeMs = 90 * dayMs
const maxPerPerson = 1_000
const batchSize = 500

/**
 * Background job that notifies people of access tokens and SSH keys that expire within a week, once each, and
 * deletes notifications that are older than 90 days or beyond a person's newest 1,000.
 */
export const sweepNotificationsJob = defineJob({
  name: 'notifications.sweep',
  run: async (ctx, signal) => ({
    tokens: await inBatches(signal, () => announceExpiring(ctx, expiringTokens)),
    keys: await inBatches(signal, () => announceExpiring(ctx, expiringKeys)),
    old: await inBatches(signal, () => deleteOld(ctx)),
    surplus: await deleteSurplus(ctx.db, signal),
  }),
})

async function inBatches(signal: AbortSignal, handleSome: () => Promise<number>): Promise<number> {
  let handled = 0
  while (!signal.aborted) {
    const some = await handleSome()
    handled += some
    if (some < batchSize) break
  }
  return handled
}

interface Window {
  after: Date
  until: Date
}

/** Notifies the owners of some expiring credentials and returns how many. */
async function announceExpiring(
  { db, clock }: ServiceCtx,
  expiring: (window: Window) => RawBuilder<Omit<NewNotification, 'event_id'>>,
): Promise<number> {
  const now = clock.now()
  const window = { after: now, until: new Date(now.getTime() + noticeMs) }
  return await withTransaction(db, async trx => {
    const { rows } = await expiring(window).execute(trx)
    await writeNotifications(
      trx,
      rows.map(row => ({ ...row, event_id: null })),
      now,
    )
    return rows.length
  })
}

const isKnown = (account: RawBuilder<unknown>, kind: string, subject: RawBuilder<unknown>) => sql`exists (
  select from notifications n where n.account_id = ${account} and n.kind = ${kind} and n.subject_id = ${subject})`

const expiringTokens = ({ after, until }: Window) => sql<Omit<NewNotification, 'event_id'>>`
  select t.user_id as account_id, 'token_expiring' as kind, t.id as subject_id from access_tokens t
  where t.expires_at > ${after} and t.expires_at <= ${until}
    and not ${isKnown(sql`t.user_id`, 'token_expiring', sql`t.id`)}
  order by t.expires_at, t.id limit ${batchSize}`

const expiringKeys = ({ after, until }: Window) => sql<Omit<NewNotification, 'event_id'>>`
  select k.owner_id as account_id, 'key_expiring' as kind, k.id as subject_id from public_keys k
  where k.expires_at > ${after} and k.expires_at <= ${until} and k.owner_id is not null and k.type = 'user'
    and not ${isKnown(sql`k.owner_id`, 'key_expiring', sql`k.id`)}
  order by k.expires_at, k.id limit ${batchSize}`

async function deleteOld({ db, clock }: ServiceCtx): Promise<number> {
  const old = db
    .selectFrom('notifications')
    .select('id')
    .where('created_at', '<', new Date(clock.now().getTime() - maxAgeMs))
    .orderBy('created_at')
    .limit(batchSize)
  return affectedRows(await db.deleteFrom('notifications').where(inSubquery('id', old)).executeTakeFirst())
}

async function deleteSurplus(db: Db, signal: AbortSignal): Promise<number> {
  const accounts = await db
    .selectFrom('notifications')
    .select('account_id')
    .groupBy('account_id')
    .having(sql<boolean>`count(*) > ${maxPerPerson}`)
    .orderBy('account_id')
    .execute()
  let deleted = 0
  for (const { account_id } of accounts) {
    const own = db
      .selectFrom('notifications')
      .select('id')
      .where('account_id', '=', account_id)
      .orderBy('id', 'desc')
      .offset(maxPerPerson)
      .limit(batchSize)
    const deleteSome = async () =>
      affectedRows(await db.deleteFrom('notifications').where(inSubquery('id', own)).executeTakeFirst())
    deleted += await inBatches(signal, deleteSome)
  }
  return deleted
}
