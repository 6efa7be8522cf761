import type { Generated } from 'kysely'

/** A repository transfer that awaits acceptance by the recipient. */
export interface RepositoryTransfersTable {
  repository_id: number
  recipient_id: number
  doer_id: number
  created_at: Generated<Date>
}

/** A team of the recipient that gets access to the repository when the transfer is accepted. */
export interface RepositoryTransferTeamsTable {
  repository_id: number
  team_id: number
}
