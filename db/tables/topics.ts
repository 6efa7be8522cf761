import type { Generated } from 'kysely'

/** A topic that a repository has, or had before it was deleted. */
export interface TopicsTable {
  id: Generated<number>
  name: string
  created_at: Generated<Date>
  /** When a repository last got or lost the topic. */
  updated_at: Generated<Date>
}
