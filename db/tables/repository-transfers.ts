import type { Generated } from 'kysely'

/** A repository that waits for another account to accept it. */
export interface RepositoryTransfersTable {
  repository_id: number
  recipient_id: number
  doer_id: number
  created_at: Generated<Date>
}

/** A team of the recipient that gets the repository with the acceptance. */
export interface RepositoryTransferTeamsTable {
  repository_id: number
  team_id: number
}
