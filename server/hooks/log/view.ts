import type { Selectable } from 'kysely'
import type { HookAttemptsTable } from '@/db/tables/hooks'
import type { UserCtx } from '@/server/kernel/ctx'
import { decompress } from '@/server/kernel/gzip'
import { wireTime } from '@/server/kernel/wire'
import { isAskedFor } from '../delivery/outcome'
import { transportOf } from '../formats'
import { openSealed } from '../view'
import type { HookAttempt, HookDelivery } from './schema'
import type { DeliveryRow } from './store'

const seconds = (milliseconds: number): number => milliseconds / 1000

export function viewDelivery(row: DeliveryRow): HookDelivery {
  return {
    id: row.id,
    guid: row.uuid,
    kind: row.kind,
    event: row.event,
    event_type: row.event_type,
    event_id: row.event_id,
    sequence: row.sequence,
    status: row.status,
    status_code: row.last_status,
    error: row.last_error,
    attempt_count: row.attempts,
    redelivery: row.last_cause !== null && isAskedFor(row.last_cause),
    duration: row.duration_ms === null ? null : seconds(row.duration_ms),
    created_at: wireTime(row.created_at),
    delivered_at: row.status === 'delivered' && row.started_at ? wireTime(row.started_at) : null,
    next_attempt_at: row.next_attempt_at && wireTime(row.next_attempt_at),
  }
}

/** Decompresses gzip-compressed UTF-8 text. Replaces invalid UTF-8 with U+FFFD. */
export async function textOf(compressed: Buffer): Promise<string> {
  return (await decompress(compressed)).toString('utf8')
}

/**
 * Converts an attempt of a webhook delivery to its API representation. For some webhook types, the URL of the
 * request contains the delivery ID.
 */
export async function viewAttempt(
  ctx: UserCtx,
  { type, uuid }: { type: string; uuid: string },
  row: Selectable<HookAttemptsTable>,
): Promise<HookAttempt> {
  const address = openSealed(ctx, 'hook.url', row.url_sealed)
  const sent = address ? transportOf(type, { url: address, contentType: 'json' }, uuid) : undefined
  return {
    number: row.number,
    cause: row.cause,
    started_at: wireTime(row.started_at),
    duration: seconds(row.duration_ms),
    url: sent?.url ?? '',
    request: { method: sent?.method ?? 'POST', headers: row.request_headers },
    response:
      row.status === null
        ? null
        : {
            status_code: row.status,
            headers: row.response_headers ?? {},
            payload: row.response_body ? await textOf(row.response_body) : '',
            truncated: row.response_truncated,
          },
    error: row.error,
  }
}
