import type { Db } from '@/db/client'
import type { Looked } from './find-missing'

/** Somewhere a site keeps data beside its database, with a mark that says which site that is. */
export interface Location {
  thing: 'repositories' | 'objects'
  /** As messages name it: "the repository directory /data/repositories". */
  name: string
  /** The setting that leads there. */
  variable: string
  /** How its mark is found by people. */
  markName: string
  /** A bucket or container: it may be out of reach for a while, and asking it takes time and money. */
  isRemote: boolean
  /** Makes it where it is not there yet, and verifies that it takes data. */
  prepare(): Promise<void>
  /** The mark it carries; undefined for none, and where there is nothing at all. */
  readMark(): Promise<string | undefined>
  /** Marks it once it is prepared. */
  writeMark(mark: string): Promise<void>
  /** Names those that are not there of up to 20 things that the database says are. */
  findMissing(db: Db): Promise<Looked>
}
