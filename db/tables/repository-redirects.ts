/** A former name of a repository, in lowercase, which redirects to the repository. */
export interface RepositoryRedirectsTable {
  owner_id: number
  name: string
  repository_id: number
}
