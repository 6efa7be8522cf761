/** What a process asks before it writes somewhere beside the database: a share that is not mounted anymore takes everything. */
export interface OwnLocations {
  /** @throws {DomainError} unavailable while the repository directory is not seen to be that of this site. */
  requireRepositories(): Promise<void>
  /** @throws {DomainError} unavailable while the object storage is not seen to be that of this site. */
  requireObjects(): Promise<void>
  /** Says what is wrong with a location; of one that is in order, and of a bucket that cannot be asked right now, nothing. */
  findTrouble(thing: 'repositories' | 'objects'): Promise<string | undefined>
}
