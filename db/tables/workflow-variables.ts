import type { Generated } from 'kysely'

/** A value that jobs are given: of an account, of a repository, or of the whole site where both are null. */
export interface WorkflowVariablesTable {
  id: Generated<number>
  owner_id: number | null
  repository_id: number | null
  /** Decides which of the two columns holds the value. */
  is_secret: boolean
  /** In capitals. */
  name: string
  value: string | null
  /** Opened by `kernel/seal`. */
  value_sealed: Buffer | null
  description: Generated<string>
  created_at: Generated<Date>
  updated_at: Generated<Date>
}
