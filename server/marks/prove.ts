import type { Db, OpenDatabase } from '@/db/client'
import type { Config } from '@/server/kernel/config'
import type { Logger } from '@/server/kernel/log'
import type { Location } from './location'
import { oneByOne } from './one-by-one'
import { markKey, proveKey, requireFittingKey } from './secret-key'
import { findMarks, selectMarks } from './store'
import { asking, verifyLocation } from './verify'
import { finishMark } from './write-mark'

/** What must belong to the same site as the database. */
export interface Belongings {
  config: Pick<Config, 'secretKey' | 'dataDir'>
  locations: readonly Location[]
  log: Logger
}

/**
 * Proves, before anything is changed, that the secret key and all locations are those of the site that the database belongs to,
 * as far as it knows them already.
 * @throws {ConfigError} that names the setting which leads elsewhere.
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
 * Proves the same once the database is up to date. Only when nothing is wrong it prepares the locations, and marks what is not marked
 * yet: all of a new site, and of one of an earlier version what holds the data that its database knows. Of processes that start
 * at once each waits for the one before. Gives the secret key.
 * @throws {ConfigError} that names the setting which leads elsewhere, where nothing is written then.
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
