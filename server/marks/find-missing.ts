import type { Db } from '@/db/client'

/**
 * Queries for a sample of the files or objects that should exist in a directory or bucket, according to the
 * database.
 */
export interface Sample {
  /** Returns up to 20 keys; the same ones every time if nothing has changed. */
  select(db: Db): Promise<string[]>
  /** Returns the keys that the database still refers to. */
  keepKnown(db: Db, keys: readonly string[]): Promise<string[]>
}

export interface Looked {
  looked: number
  missing: string[]
}

/**
 * Checks whether a sample of items exists in its location. Items that the database no longer refers to after
 * the check do not count as missing, because a process that is still running may delete items concurrently,
 * first the row and then the item.
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
  // If the whole sample was deleted, the check proved nothing.
  if (deleted > 0 && deleted === keys.length) return await findMissing(db, sample, isThere)
  return { looked: keys.length - deleted, missing }
}
