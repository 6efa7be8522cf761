import type { Generated } from 'kysely'

/**
 * The key that encrypts data, or a location that stores it. Each must be the same at every start of an
 * instance.
 */
export type MarkedThing = 'secret_key' | 'repositories' | 'objects'

export interface SiteMarksTable {
  thing: MarkedThing
  /** For the key, a text encrypted with it, in base64; for a location, the ID that is stored there. */
  mark: string
  /** False until the mark has been written to the location. */
  is_written: boolean
  created_at: Generated<Date>
}
