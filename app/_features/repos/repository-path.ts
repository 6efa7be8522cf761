/** How calls name a repository. */
export interface RepoPath {
  owner: string
  repo: string
}
