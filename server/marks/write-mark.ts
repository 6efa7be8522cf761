import { randomBytes } from 'node:crypto'
import type { Db } from '@/db/client'
import type { Location } from './location'
import { type KnownMark, saveMark } from './store'
import { asking } from './verify'

/**
 * Writes a new mark to a location and records it as the site's mark. Until it is recorded, only the former
 * location, if there is one, is accepted. Must run inside `oneByOne`.
 */
export async function writeMark(db: Db, location: Location, known: KnownMark | undefined): Promise<void> {
  const mark = randomBytes(16).toString('hex')
  // Recorded first if no mark is known, so that the next start can continue after an interruption.
  if (!known?.isWritten) await saveMark(db, location.thing, { mark, isWritten: false })
  await asking(location, location.writeMark(mark))
  await saveMark(db, location.thing, { mark, isWritten: true })
}

/**
 * Completes the marking of a location whose mark has not been recorded as written. If an interrupted start
 * already wrote the noted mark, only records that; otherwise writes a new one.
 */
export async function finishMark(db: Db, location: Location, noted: KnownMark | undefined): Promise<void> {
  const isMarked = noted !== undefined && (await asking(location, location.readMark())) === noted.mark
  if (isMarked) await saveMark(db, location.thing, { mark: noted.mark, isWritten: true })
  // The noted mark may have been written to a different location, so this location gets a new one.
  else await writeMark(db, location, noted)
}
