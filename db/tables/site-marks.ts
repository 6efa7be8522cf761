import type { Generated } from 'kysely'

/** What this site keeps its data in or seals it with, and must be the same at each start. */
export type MarkedThing = 'secret_key' | 'repositories' | 'objects'

export interface SiteMarksTable {
  thing: MarkedThing
  /** Sealed with the key, in base64; of a place the id that it carries. */
  mark: string
  /** False from before the place is marked until it is. */
  is_written: boolean
  created_at: Generated<Date>
}
