import type { ObjectStorage } from '@/server/kernel/storage/types'
import type { BackupLocation } from '../location/location'
import type { Progress } from '../progress'
import type { Earlier } from './earlier'
import type { IndexWriter } from './index-writer'

/** A backup that is being made. */
export interface Copying {
  location: BackupLocation
  repositoryDir: string
  storage: ObjectStorage
  /** Directory for temporary files. */
  workDir: string
  earlier: Earlier
  index: IndexWriter
  progress: Progress
  signal: AbortSignal
  /** Number of objects copied or found so far. */
  objects: number
  /** Notes that something on the site is missing or damaged, which the backup therefore lacks. */
  fault(what: string): void
}
