import type { Db } from '@/db/client'
import { unavailable } from '@/server/kernel/errors'
import type { Logger } from '@/server/kernel/log'
import type { OwnLocations } from '@/server/kernel/own-locations'
import type { Location } from './location'
import { remembered } from './remembered'
import { type KnownMarks, selectMarks } from './store'
import { isRefusalOf, reasonOf } from './verify'

/** Reason why nothing may be written to a location. */
interface Trouble {
  says: string
  /** Error that prevented the mark from being read. */
  reason?: string
  /** Whether the mark may become readable without intervention. */
  mayPass?: boolean
}

/**
 * Times in milliseconds for which the result of a check is reused. Requests to a bucket take time and cost
 * money; reading a small file does neither.
 */
const seenMs = { database: 2_000, local: 1_000, remote: 15_000 }

/** Checks, while the process runs, whether its locations still belong to the site. */
export function guardLocations(db: Db, locations: readonly Location[], log: Logger): OwnLocations {
  const marks = remembered(
    () => selectMarks(db),
    () => seenMs.database,
  )
  const guarded = new Map(
    locations.map(location => {
      // A location that could not be read may be available again soon.
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
      // A database failure is reported by the database's own check.
      const trouble = await found?.look().catch(() => undefined)
      return trouble?.mayPass ? undefined : trouble?.says
    },
  }
}

/** Returns a function that checks a location and logs when trouble starts, changes, or ends. */
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
    if (!trouble && before !== undefined) log.info(`${location.name} belongs to this site again`)
    before = trouble?.says
    return trouble
  }
}

// A start marks all locations before they are checked, so a location without a known mark cannot be
// evaluated.
async function compare(location: Location, mark: string | undefined): Promise<Trouble | undefined> {
  if (mark === undefined) return undefined
  try {
    const found = await location.readMark()
    if (found === mark) return undefined
    return {
      says: `does not belong to this site: its mark is ${found === undefined ? 'missing' : "another site's"}`,
    }
  } catch (error) {
    const reason = reasonOf(error)
    if (location.isRemote && isRefusalOf(error)) return { says: 'denies access', reason }
    return { says: 'cannot be read', reason, mayPass: location.isRemote }
  }
}
