import type { Db } from '@/db/client'
import { unavailable } from '@/server/kernel/errors'
import type { Logger } from '@/server/kernel/log'
import type { OwnLocations } from '@/server/kernel/own-locations'
import type { Location } from './location'
import { remembered } from './remembered'
import { type KnownMarks, selectMarks } from './store'
import { isRefusalOf, reasonOf } from './verify'

/** Why nothing may be written to a location. */
interface Trouble {
  says: string
  /** Its mark could not be read, and the reason. */
  reason?: string
  /** Its mark may be read later without anybody doing anything. */
  mayPass?: boolean
}

/** So long what was seen counts: asking a bucket takes time and money, reading a small file neither. */
const seenMs = { database: 2_000, local: 1_000, remote: 15_000 }

/** Looks, while the process runs, whether its locations are still those of the site. */
export function guardLocations(db: Db, locations: readonly Location[], log: Logger): OwnLocations {
  const marks = remembered(
    () => selectMarks(db),
    () => seenMs.database,
  )
  const guarded = new Map(
    locations.map(location => {
      // One that could not be read may be back soon.
      const keptMs = (trouble?: Trouble) =>
        location.isRemote && !trouble?.reason ? seenMs.remote : seenMs.local
      const look = remembered(lookAt(location, marks, log), keptMs)
      return [location.thing, { location, look }] as const
    }),
  )
  async function requireOwn(thing: Location['thing'], what: string): Promise<void> {
    if (await guarded.get(thing)?.look())
      throw unavailable(`${what} of this site cannot be reached right now`, { retryAfterSeconds: 5 })
  }
  return {
    requireRepositories: () => requireOwn('repositories', 'the repositories'),
    requireObjects: () => requireOwn('objects', 'the files'),
    async findTrouble(thing) {
      const found = guarded.get(thing)
      // What the database fails of is told as that.
      const trouble = await found?.look().catch(() => undefined)
      return trouble?.mayPass ? undefined : trouble?.says
    },
  }
}

/** Gives what is wrong with a location, and logs when that begins, changes and ends. */
function lookAt(
  location: Location,
  knownMarks: () => Promise<KnownMarks>,
  log: Logger,
): () => Promise<Trouble | undefined> {
  let before: string | undefined
  return async () => {
    const mark = (await knownMarks())[location.thing]?.mark
    const trouble = await compare(location, mark)
    if (trouble && trouble.says !== before) {
      const { says, reason } = trouble
      log.error({ setting: location.variable, reason }, `${location.name} ${says}; nothing is written there`)
    }
    if (!trouble && before !== undefined) log.info(`${location.name} is that of this site again`)
    before = trouble?.says
    return trouble
  }
}

// A start marks all locations before the process looks, so that one without a mark is nobody's to judge.
async function compare(location: Location, mark: string | undefined): Promise<Trouble | undefined> {
  if (mark === undefined) return undefined
  try {
    const found = await location.readMark()
    if (found === mark) return undefined
    return {
      says: `is not that of this site: its mark is ${found === undefined ? 'missing' : "another site's"}`,
    }
  } catch (error) {
    const reason = reasonOf(error)
    if (location.isRemote && isRefusalOf(error)) return { says: 'refuses to be read', reason }
    return { says: 'cannot be read', reason, mayPass: location.isRemote }
  }
}
