import type { Db } from '@/db/client'
import type { Looked } from './find-missing'

/** A place where a site keeps data outside its database, with a mark that identifies the site. */
export interface Location {
  thing: 'repositories' | 'objects'
  /** Name in messages, such as "the repository directory /data/repositories". */
  name: string
  /** Setting that selects the location, such as `GUILDHALL_REPOSITORY_DIR`. */
  variable: string
  /** Description of where people find the mark, such as "the file /data/repositories/guildhall-mark". */
  markName: string
  /**
   * Whether it is a bucket or container, which can be temporarily unavailable and whose requests take time
   * and cost money.
   */
  isRemote: boolean
  /** Creates the location if it does not exist and verifies that it is writable. */
  prepare(): Promise<void>
  /** Returns the location's mark; undefined if it has none or does not exist. */
  readMark(): Promise<string | undefined>
  /** Writes the mark of a prepared location. */
  writeMark(mark: string): Promise<void>
  /** Checks up to 20 items that the database refers to and returns those that do not exist. */
  findMissing(db: Db): Promise<Looked>
}
