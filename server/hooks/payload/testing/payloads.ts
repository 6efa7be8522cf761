import { type ClaimedEvent, claimedColumns, claimedEventOf } from '@/server/events'
import { jobContext } from '@/server/services'
import type { Site } from '@/testing/site'
import { payloadOf } from '..'
import type { HookPayload } from '../types'

/** Returns the events recorded after the event `id`, oldest first, as the outbox returns them. */
export async function eventsAfter(site: Site, id: number): Promise<ClaimedEvent[]> {
  const rows = await site.db
    .selectFrom('events')
    .select(claimedColumns)
    .where('id', '>', id)
    .orderBy('id')
    .execute()
  return rows.map(row => claimedEventOf(row)!)
}

/** Returns the payloads of all events that `act` causes, in the order of the events. */
export async function payloadsOf(site: Site, act: () => Promise<unknown>): Promise<HookPayload[]> {
  const before = await site.db.selectFrom('events').select('id').orderBy('id', 'desc').limit(1).execute()
  await act()
  const payloads: HookPayload[] = []
  for (const event of await eventsAfter(site, before[0]?.id ?? 0)) {
    const payload = await payloadOf(jobContext(site.services, 'test'), event)
    if (payload) payloads.push(payload)
  }
  return payloads
}
