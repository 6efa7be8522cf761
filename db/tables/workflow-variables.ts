import type { Generated } from 'kysely'

/**
 * A variable or secret for the jobs of an account, of a repository, or, if both are null, of the whole
 * instance.
 */
export interface WorkflowVariablesTable {
  id: Generated<number>
  owner_id: number | null
  repository_id: number | null
  /** Whether this is a secret, whose value is in `value_sealed`; otherwise, the value is in `value`. */
  is_secret: boolean
  /** In uppercase. */
  name: string
  value: string | null
  /** Decrypted with `kernel/seal`. */
  value_sealed: Buffer | null
  description: Generated<string>
  created_at: Generated<Date>
  updated_at: Generated<Date>
}
