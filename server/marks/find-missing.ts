import type { Db } from '@/db/client'

/** What the database says that a location has. */
export interface Sample {
  /** Gives the keys of up to 20, and the same each time while nothing changes. */
  select(db: Db): Promise<string[]>
  /** Gives those of the keys that the database still knows. */
  keepKnown(db: Db, keys: readonly string[]): Promise<string[]>
}

export interface Looked {
  looked: number
  missing: string[]
}

/**
 * Looks for a sample in its place. What the database does not know anymore when it was not found is not missing: a process of
 * before may delete meanwhile, first the row and then what is in the place.
 */
export async function findMissing(
  db: Db,
  sample: Sample,
  isThere: (key: string) => Promise<boolean>,
): Promise<Looked> {
  const keys = await sample.select(db)
  const absent = (await Promise.all(keys.map(async key => ((await isThere(key)) ? [] : [key])))).flat()
  const missing = absent.length > 0 ? await sample.keepKnown(db, absent) : []
  const deleted = absent.length - missing.length
  // Where all of it was deleted, nothing was seen.
  if (deleted > 0 && deleted === keys.length) return await findMissing(db, sample, isThere)
  return { looked: keys.length - deleted, missing }
}
