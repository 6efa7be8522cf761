import type { Db } from '@/db/client'
import type { Config } from '@/server/kernel/config'
import { loadSecretKey } from '@/server/kernel/secret-key'
import type { Location } from './location'
import { keyMark, opensMark, presentKey } from './secret-key'
import { deleteSealedHostKeys, saveMark, selectMarks } from './store'
import { asking } from './verify'
import { writeMark } from './write-mark'

/** What became of something, in a sentence, and whether a start would now accept it. */
export interface Adopted {
  says: string
  isOwn: boolean
}

/**
 * Records that a location is where the site keeps its data from now on: it gets a new mark, so that whoever still uses the
 * former one is refused. Unless `incomplete` is set, it must hold what the database knows, and unless `foreign` is set, no mark
 * that the database does not know. Where it is not recorded, nothing is written to it. To be called one by one.
 */
export async function adoptLocation(
  db: Db,
  location: Location,
  { incomplete, foreign }: { incomplete: boolean; foreign: boolean },
): Promise<Adopted> {
  const known = (await selectMarks(db))[location.thing]
  const found = await asking(location, location.readMark())
  if (known?.isWritten && found === known.mark) {
    return { says: `${location.name} is known already.`, isOwn: true }
  }
  if (found !== undefined && found !== known?.mark && !foreign) {
    const says = `${location.variable}: ${location.name} is not recorded: ${location.markName} is that of another site, or of this one before its database was restored. Add --foreign if no other site uses it; one that does would be refused from then on.`
    return { says, isOwn: false }
  }
  const { looked, missing } = await asking(location, location.findMissing(db))
  const counted = `of ${looked} that were looked for, ${missing.length} are not there`
  if (missing.length > 0 && !incomplete) {
    const says = `${location.variable}: ${location.name} is not recorded: ${counted}, such as ${missing[0]}. Add --incomplete to go on without them.`
    return { says, isOwn: false }
  }
  await asking(location, location.prepare())
  await writeMark(db, location, known)
  return { says: `Recorded ${location.name}${missing.length > 0 ? `; ${counted}` : ''}.`, isOwn: true }
}

/**
 * Records, if `isNew` is set, that the site has the secret key that the settings give, or a new one: for a key that is lost.
 * What was encrypted with the former one stays, and opens again only with that.
 */
export async function adoptKey(
  db: Db,
  settings: Pick<Config, 'secretKey' | 'dataDir'>,
  { isNew }: { isNew: boolean },
): Promise<Adopted> {
  const mark = (await selectMarks(db)).secret_key?.mark
  const present = await presentKey(settings)
  if (mark !== undefined && present !== undefined && opensMark(present, mark)) {
    return { says: 'The secret key is known already.', isOwn: true }
  }
  if (!isNew) {
    // The next start takes one that opens what there is.
    if (mark === undefined) return { says: 'The secret key is recorded by the next start.', isOwn: true }
    const says = `The secret key is ${present === undefined ? 'missing' : 'not that of this site'}. Put it back, or, if it is lost for good, add --new-key: secrets of workflows and webhooks must then be set again.`
    return { says, isOwn: false }
  }
  const key = await loadSecretKey(settings)
  await saveMark(db, 'secret_key', { mark: keyMark(key), isWritten: true })
  // The next start puts those of the data directory in their place.
  await deleteSealedHostKeys(db)
  const says =
    'Recorded the secret key. Secrets of workflows, and addresses and secrets of webhooks, that were encrypted with the former one must be set again.'
  return { says, isOwn: true }
}
