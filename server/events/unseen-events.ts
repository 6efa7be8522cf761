import type { Db } from '@/db/client'
import { signalColumns } from './signal-row'

type EventRow = Awaited<ReturnType<typeof selectEvents>>[number]

/** Finds recorded events that this process has not seen. */
export interface UnseenEvents {
  /** Counts an event as seen. Returns whether it was not seen before. */
  see(id: number): boolean
  /** Reads the newest events from the table and returns those not seen before, oldest first; 'many' if too many. */
  read(): Promise<EventRow[] | 'many'>
}

// The IDs of events do not follow the order of their commits: one can be this far behind the highest known.
const overlap = 1_000
const maxRead = 5_000

export function trackEvents(db: Db): UnseenEvents {
  const seen = rememberIds(maxRead)
  return {
    see: seen.add,
    async read() {
      const rows = await selectEvents(db, seen.highest() - overlap)
      const unseen = rows.filter(({ id }) => seen.add(id))
      return rows.length >= maxRead && unseen.length > 0 ? 'many' : unseen
    },
  }
}

/** Reads the newest events above an ID, lowest ID first. */
async function selectEvents(db: Db, above: number) {
  const rows = await db
    .selectFrom('events')
    .select(signalColumns)
    .where('id', '>', above)
    .orderBy('id', 'desc')
    .limit(maxRead)
    .execute()
  return rows.reverse()
}

/** Remembers the IDs added last: at least this many, and at most twice as many. */
function rememberIds(min: number): { add(id: number): boolean; highest(): number } {
  let older = new Set<number>()
  let newer = new Set<number>()
  let highest = 0
  return {
    add(id) {
      if (newer.has(id) || older.has(id)) return false
      if (newer.size >= min) {
        older = newer
        newer = new Set()
      }
      newer.add(id)
      if (id > highest) highest = id
      return true
    },
    highest: () => highest,
  }
}
