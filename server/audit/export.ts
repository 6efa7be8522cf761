import { setImmediate as turn } from 'node:timers/promises'
import { withTransaction } from '@/db/transaction'
import { confirmCaller, reauthenticate } from '@/server/auth/reauthenticate'
import { originOf, recordEvent } from '@/server/events'
import { isAdmin } from '@/server/kernel/caller'
import type { AdminCtx } from '@/server/kernel/ctx'
import { forbidden } from '@/server/kernel/errors'
import { lowest, resolveFilter, viewEvent } from './list'
import type { AuditEvent, EventFilter } from './schema'
import { selectEvents, type Wanted } from './store'

export type ExportFormat = 'csv' | 'jsonl'

// A few hundred kilobytes, even if the facts of pushes are large.
const batchSize = 500

/**
 * Records the export as an event and returns the events that match the filter as text, newest first: CSV with
 * a header, or one JSON object per line. Reads one batch at a time, only as fast as the text is consumed, and
 * stops when the consumer stops. Events recorded after the start are left out, including the export's own
 * event.
 * @throws {DomainError} while the text is read, if the caller is no longer an administrator or their session
 * has ended.
 */
export async function exportEvents(
  ctx: AdminCtx,
  filter: EventFilter,
  format: ExportFormat,
): Promise<AsyncIterable<string>> {
  const wanted = await resolveFilter(ctx, filter)
  const [newest] = wanted ? await selectEvents(ctx.db, wanted, 1) : []
  await withTransaction(ctx.db, async trx => {
    await confirmCaller(ctx, trx)
    const present = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''))
    await recordEvent(trx, originOf(ctx), {
      kind: 'events.exported',
      ownerId: null,
      facts: { format, filter: present },
    })
  })
  return textOf(ctx, format, wanted && newest ? { ...wanted, below: newest.id + 1 } : undefined)
}

async function* textOf(
  ctx: AdminCtx,
  format: ExportFormat,
  wanted: Wanted | undefined,
): AsyncGenerator<string> {
  const lineOf = format === 'csv' ? csvLine : jsonLine
  if (format === 'csv') yield csvOf(csvColumns)
  let below = wanted?.below
  while (wanted) {
    // Checked for every batch, because a slow client can read for hours.
    if (!isAdmin(await reauthenticate(ctx, ctx.caller))) throw forbidden('user should be the site admin')
    const rows = await selectEvents(ctx.db, { ...wanted, below: lowest(wanted.below, below) }, batchSize)
    if (rows.length > 0) yield rows.map(row => lineOf(viewEvent(row))).join('')
    if (rows.length < batchSize) return
    below = rows.at(-1)?.id
    // Lets other requests run between two batches, even if the client reads everything immediately.
    await turn()
  }
}

const jsonLine = (event: AuditEvent): string => `${JSON.stringify(event)}\n`

const csvColumns = [
  'id',
  'created',
  'kind',
  'actor',
  'text',
  'owner',
  'repository',
  'remote_address',
  'request_id',
  'facts',
]

const csvLine = (event: AuditEvent): string =>
  csvOf([
    String(event.id),
    event.created,
    event.kind,
    event.actor?.name ?? '',
    event.text,
    event.owner ?? '',
    event.repository ?? '',
    event.remote_address,
    event.request_id,
    JSON.stringify(event.facts),
  ])

const csvOf = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** Returns a CSV cell, quoted if needed and escaped so that spreadsheets do not evaluate it as a formula. */
export function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
