/**
 * Checks that the repository directory and the object storage belong to this site, performed before data is
 * written to them. Without these checks, a directory whose network share is no longer mounted would accept
 * data.
 */
export interface OwnLocations {
  /**
   * @throws {DomainError} unavailable unless the repository directory is confirmed to be that of this site.
   */
  requireRepositories(): Promise<void>
  /** @throws {DomainError} unavailable unless the object storage is confirmed to be that of this site. */
  requireObjects(): Promise<void>
  /**
   * Returns a description of the problem with a location, or undefined if there is none or if the storage
   * cannot be reached at present.
   */
  findTrouble(thing: 'repositories' | 'objects'): Promise<string | undefined>
}
