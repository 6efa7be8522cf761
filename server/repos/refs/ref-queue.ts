import { createQueues } from '@/server/kernel/concurrency-limit'

const queues = createQueues({ maxQueue: 100 })

/**
 * Runs operations that depend on a repository's branches and tags one at a time in this process: deleting
 * branches and tags, setting the default branch, and publishing releases, which can create tags.
 * @throws {DomainError} tooManyRequests if too many operations are waiting.
 */
export const inRefQueue = <T>(repositoryId: number, work: () => Promise<T>): Promise<T> =>
  queues(repositoryId, work)
