/** A name a repository had before; lower case. */
export interface RepositoryRedirectsTable {
  owner_id: number
  name: string
  repository_id: number
}
