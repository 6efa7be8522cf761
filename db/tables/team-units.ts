import type { AccessMode } from './teams'

export type Unit =
  | 'repo.code'
  | 'repo.issues'
  | 'repo.pulls'
  | 'repo.releases'
  | 'repo.wiki'
  | 'repo.ext_wiki'
  | 'repo.ext_issues'
  | 'repo.projects'
  | 'repo.packages'
  | 'repo.actions'

export interface TeamUnitsTable {
  team_id: number
  org_id: number
  unit: Unit
  mode: AccessMode
}
