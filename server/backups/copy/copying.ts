import type { ObjectStorage } from '@/server/kernel/storage/types'
import type { Place } from '../place/place'
import type { Progress } from '../progress'
import type { Earlier } from './earlier'
import type { IndexWriter } from './index-writer'

/** A backup that is being made. */
export interface Copying {
  place: Place
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
