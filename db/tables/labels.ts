import type { Generated } from 'kysely'

/** A label that API clients attach meaning to. It belongs to a repository or to an organization. */
export interface LabelsTable {
  id: Generated<number>
  repository_id: number | null
  org_id: number | null
  /** Not unique. */
  name: string
  /** Six hexadecimal digits in lower case. */
  color: string
  description: Generated<string>
  /** Whether an issue can have only one of the exclusive labels that share the name before the last slash. */
  is_exclusive: Generated<boolean>
  is_archived: Generated<boolean>
}
