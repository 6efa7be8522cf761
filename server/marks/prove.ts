import type { Db, OpenDatabase } from '@/db/client'
import type { Config } from '@/server/kernel/config'
import type { Logger } from '@/server/kernel/log'
import type { Location } from './location'
import { oneByOne } from './one-by-one'
import { markKey, proveKey, requireFittingKey } from './secret-key'
import { findMarks, selectMarks } from './store'
import { asking, verifyLocation } from './verify'
import { finishMark } from './write-mark'

/** Settings and locations that must belong to the same site as the database. */
export interface Belongings {
  config: Pick<Config, 'secretKey' | 'dataDir'>
  locations: readonly Location[]
  log: Logger
}

/**
 * Checks that the secret key, the directories and the bucket are those of this instance, by comparing the
 * marks stored in them with those in the database. Changes nothing.
 * @throws {ConfigError} if a mark does not match; the message names the setting to correct.
 */
export async function proveBelongings(db: Db, { config, locations, log }: Belongings): Promise<void> {
  const marks = await findMarks(db)
  if (marks.secret_key) await proveKey(config, marks.secret_key.mark)
  for (const location of locations) {
    const known = marks[location.thing]
    if (known) await verifyLocation(db, location, known, log)
  }
}

/**
 * Checks the secret key and all locations after the database has been migrated. Only if all of them match,
 * prepares the locations and marks those without a mark: all locations of a new site, and those of a site
 * from an earlier version that contain the data its database refers to. Processes that start at the same time
 * do this one after another. Returns the secret key.
 * @throws {ConfigError} if one does not match; the message names the setting to correct. Nothing is written
 * then.
 */
export async function settleBelongings(database: OpenDatabase, belongings: Belongings): Promise<string> {
  const { config, locations, log } = belongings
  const { db } = database
  return await oneByOne(database, log, async () => {
    const marks = await selectMarks(db)
    const known = marks.secret_key && (await proveKey(config, marks.secret_key.mark))
    if (known === undefined) await requireFittingKey(db, config)
    const seen: Location[] = []
    for (const location of locations)
      if (await verifyLocation(db, location, marks[location.thing], log)) seen.push(location)
    const key = known ?? (await markKey(db, config))
    for (const location of seen) {
      await asking(location, location.prepare())
      const mark = marks[location.thing]
      if (!mark?.isWritten) await finishMark(db, location, mark)
    }
    return key
  })
}
