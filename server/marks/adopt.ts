import type { Db } from '@/db/client'
import type { Config } from '@/server/kernel/config'
import { loadSecretKey } from '@/server/kernel/secret-key'
import type { Location } from './location'
import { keyMark, opensMark, presentKey } from './secret-key'
import { deleteSealedHostKeys, saveMark, selectMarks } from './store'
import { asking } from './verify'
import { writeMark } from './write-mark'

/**
 * Result of recording a location or key: a sentence for the operator, and whether the site's next start would
 * accept it.
 */
export interface Adopted {
  says: string
  isOwn: boolean
}

/**
 * Makes a directory or bucket the one in which the instance stores its data: writes a new mark to it, which
 * the database records, so that processes that still use the former one are refused. Unless `incomplete` is
 * set, it must contain the data that the database refers to. Unless `foreign` is set, it must not have the
 * mark of another instance. If a requirement is not met, nothing is written. Must run inside `oneByOne`.
 */
export async function adoptLocation(
  db: Db,
  location: Location,
  { incomplete, foreign }: { incomplete: boolean; foreign: boolean },
): Promise<Adopted> {
  const known = (await selectMarks(db))[location.thing]
  const found = await asking(location, location.readMark())
  if (known?.isWritten && found === known.mark) {
    return { says: `${location.name} is already recorded.`, isOwn: true }
  }
  if (found !== undefined && found !== known?.mark && !foreign) {
    const says = `${location.variable}: ${location.name} was not recorded: ${location.markName} belongs to another site, or to this site before its database was restored. Add --foreign if no other site uses this location; a site that does would be refused from then on.`
    return { says, isOwn: false }
  }
  const { looked, missing } = await asking(location, location.findMissing(db))
  const counted = `${missing.length} of ${looked} checked items are missing`
  if (missing.length > 0 && !incomplete) {
    const says = `${location.variable}: ${location.name} was not recorded: ${counted}, such as ${missing[0]}. Add --incomplete to continue without them.`
    return { says, isOwn: false }
  }
  await asking(location, location.prepare())
  await writeMark(db, location, known)
  return { says: `Recorded ${location.name}${missing.length > 0 ? `; ${counted}` : ''}.`, isOwn: true }
}

/**
 * Records the configured secret key, or a newly generated one, as the site's key if `isNew` is set, for the
 * case that the former key is lost. Data that was encrypted with the former key is kept but can only be
 * decrypted with that key.
 */
export async function adoptKey(
  db: Db,
  settings: Pick<Config, 'secretKey' | 'dataDir'>,
  { isNew }: { isNew: boolean },
): Promise<Adopted> {
  const mark = (await selectMarks(db)).secret_key?.mark
  const present = await presentKey(settings)
  if (mark !== undefined && present !== undefined && opensMark(present, mark)) {
    return { says: 'The secret key is already recorded.', isOwn: true }
  }
  if (!isNew) {
    // The next start accepts a key that decrypts the existing data.
    if (mark === undefined) return { says: 'The next start will record the secret key.', isOwn: true }
    const says = `The secret key is ${present === undefined ? 'missing' : "not this site's"}. Restore it, or, if it is permanently lost, add --new-key. You must then set the workflow and webhook secrets again.`
    return { says, isOwn: false }
  }
  const key = await loadSecretKey(settings)
  await saveMark(db, 'secret_key', { mark: keyMark(key), isWritten: true })
  // The next start restores the host keys from the data directory.
  await deleteSealedHostKeys(db)
  const says =
    'Recorded the secret key. Workflow secrets, and webhook URLs and secrets, that were encrypted with the previous key must be set again.'
  return { says, isOwn: true }
}
