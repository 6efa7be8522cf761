/** The newest rename of a branch from a name; a branch that exists comes before it. */
export interface RenamedBranchesTable {
  repository_id: number
  from_name: string
  to_name: string
  /** When the rename began; renames can be recorded in another order. */
  renamed_at: Date
}
