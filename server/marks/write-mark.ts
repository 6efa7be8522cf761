import { randomBytes } from 'node:crypto'
import type { Db } from '@/db/client'
import type { Location } from './location'
import { type KnownMark, saveMark } from './store'
import { asking } from './verify'

/**
 * Gives a location a new mark and makes it the one that the site knows; to be called one by one. Until then the former location, where
 * there is one, is the right one, and no other is.
 */
export async function writeMark(db: Db, location: Location, known: KnownMark | undefined): Promise<void> {
  const mark = randomBytes(16).toString('hex')
  // Noted first where no place is known, so that the next start goes on where this one is killed.
  if (!known?.isWritten) await saveMark(db, location.thing, { mark, isWritten: false })
  await asking(location, location.writeMark(mark))
  await saveMark(db, location.thing, { mark, isWritten: true })
}

/** Marks a location of a site that knows none yet; one that carries the noted mark already was marked by a start that was killed. */
export async function finishMark(db: Db, location: Location, noted: KnownMark | undefined): Promise<void> {
  const isMarked = noted !== undefined && (await asking(location, location.readMark())) === noted.mark
  if (isMarked) await saveMark(db, location.thing, { mark: noted.mark, isWritten: true })
  // Another mark than the noted one, which another location may have got.
  else await writeMark(db, location, noted)
}
