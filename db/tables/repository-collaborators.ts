import type { Generated } from 'kysely'

export interface RepositoryCollaboratorsTable {
  repository_id: number
  user_id: number
  mode: 'read' | 'write' | 'admin'
  created_at: Generated<Date>
}
