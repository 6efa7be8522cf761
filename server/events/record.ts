import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { isInFeed, type NewEvent } from './catalogue'
import { consumers, type EventConsumer, enqueue } from './outbox'

/** Who made something happen, and how they reached us. */
export interface Origin {
  /** Null for visitors and background jobs. */
  actorId: number | null
  /** Empty where no client is known. */
  remoteAddress: string
  requestId: string
}

/** The origin of what this call changes. For an administrator who acts as another account it is the administrator. */
export function originOf({ caller, remoteAddress, requestId }: ServiceCtx): Origin {
  const actorId = caller.kind === 'user' ? (caller.actor ?? caller.user).id : null
  return { actorId, remoteAddress, requestId }
}

/** Records an event in the transaction of the change itself, so that neither exists without the other. */
export async function recordEvent(
  trx: Transaction<Database>,
  origin: Origin,
  event: NewEvent,
): Promise<void> {
  await recordEvents(trx, origin, [event])
}

/**
 * Records events in their order, and puts each into the outbox of every consumer that wants its kind. Nothing else
 * writes events.
 */
export async function recordEvents(
  trx: Transaction<Database>,
  { actorId, remoteAddress, requestId }: Origin,
  events: readonly NewEvent[],
  recipients: readonly EventConsumer[] = consumers,
): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(event => ({
    kind: event.kind,
    actor_id: actorId,
    owner_id: event.ownerId,
    repository_id: event.repositoryId ?? null,
    in_feed: isInFeed(event),
    data: JSON.stringify(event.facts),
    remote_address: remoteAddress,
    request_id: requestId,
  }))
  const recorded = await trx.insertInto('events').values(rows).returning(['id', 'kind']).execute()
  await enqueue(trx, recorded, recipients)
}
