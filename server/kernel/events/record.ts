import type { Insertable, Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import type { EventsTable } from '@/db/tables/events'
import type { ServiceCtx } from '../ctx'

export interface NewEvent {
  /** `<thing>.<past participle>`, such as key.added. */
  kind: string
  /** The account whose owner may read it. */
  ownerId: number | null
  /** The repository it happened in, for the activity feeds. */
  repositoryId?: number
  /** Plain facts worth showing: never a secret. */
  facts: Record<string, Fact>
}

type Fact = string | number | boolean | null | readonly Fact[] | { readonly [name: string]: Fact }

/** The row of an event, for a change that writes it in its own statement. */
export function eventRow(ctx: ServiceCtx, event: NewEvent): Insertable<EventsTable> {
  return {
    kind: event.kind,
    actor_id: ctx.caller.kind === 'user' ? (ctx.caller.actor ?? ctx.caller.user).id : null,
    owner_id: event.ownerId,
    repository_id: event.repositoryId ?? null,
    data: JSON.stringify(event.facts),
    remote_address: ctx.remoteAddress,
    request_id: ctx.requestId,
  }
}

/** Writes what happened in the transaction of the change itself, so that neither exists without the other. */
export async function recordEvent(
  ctx: ServiceCtx,
  trx: Transaction<Database>,
  event: NewEvent,
): Promise<void> {
  await trx.insertInto('events').values(eventRow(ctx, event)).execute()
}
