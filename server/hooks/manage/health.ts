import { sql } from 'kysely'
import type { Db } from '@/db/client'
import { anyOf } from '@/db/sql'
import { wireTime } from '@/server/kernel/wire'
import { maxCounted } from '../max-counted'
import type { HookHealth } from './schema'

const maxAttempts = 100

interface HealthRow {
  id: number
  outcomes: string | null
  pending: number
  last_at: Date | null
  last_outcome: 'pending' | 'delivered' | 'failed' | null
  last_code: number | null
}

/**
 * Returns statistics about the deliveries of these webhooks, by webhook ID: the outcomes of recent attempts,
 * the number of pending deliveries, and the newest delivery. Runs a single query, which reads only the newest
 * entries of three indexes.
 */
export async function healthOf(db: Db, ids: readonly number[]): Promise<Map<number, HookHealth>> {
  const rows = await db
    .selectFrom('hooks')
    .leftJoinLateral(
      eb =>
        eb
          .selectFrom('hook_deliveries')
          .select(['created_at as last_at', 'status as last_outcome', 'last_status as last_code'])
          .whereRef('hook_id', '=', 'hooks.id')
          .orderBy('hook_deliveries.created_at', 'desc')
          .orderBy('hook_deliveries.id', 'desc')
          .limit(1)
          .as('last'),
      join => join.onTrue(),
    )
    .select(({ selectFrom }) => [
      'hooks.id',
      'last_at',
      'last_outcome',
      'last_code',
      selectFrom(
        selectFrom('hook_attempts')
          .innerJoin('hook_deliveries', 'hook_deliveries.id', 'hook_attempts.delivery_id')
          .select(['hook_attempts.id', 'hook_attempts.started_at', 'hook_attempts.error'])
          .whereRef('hook_attempts.hook_id', '=', 'hooks.id')
          .where('hook_deliveries.kind', '=', 'event')
          .orderBy('hook_attempts.started_at', 'desc')
          .orderBy('hook_attempts.id', 'desc')
          .limit(maxAttempts)
          .as('recent'),
      )
        .select(
          sql<string | null>`string_agg(
            case when recent.error is null then '+' else '-' end, '' order by recent.started_at, recent.id)`.as(
            'outcomes',
          ),
        )
        .as('outcomes'),
      selectFrom(
        selectFrom('hook_deliveries')
          .select(sql`1`.as('one'))
          .whereRef('hook_id', '=', 'hooks.id')
          .where('status', '=', 'pending')
          .orderBy('hook_deliveries.created_at', 'desc')
          .orderBy('hook_deliveries.id', 'desc')
          .limit(maxCounted)
          .as('waiting'),
      )
        .select(sql<number>`count(*)`.as('pending'))
        .$asScalar()
        .$notNull()
        .as('pending'),
    ])
    .where('hooks.id', '=', anyOf(ids))
    .orderBy('hooks.id')
    .$castTo<HealthRow>()
    .execute()
  return new Map(rows.map(row => [row.id, viewHealth(row)]))
}

function viewHealth({ outcomes, pending, last_at, last_outcome, last_code }: HealthRow): HookHealth {
  const last = last_at && last_outcome && { at: wireTime(last_at), status: last_outcome, code: last_code }
  return { outcomes: outcomes ?? '', pending, last }
}
