import { createQueues } from '@/server/kernel/concurrency-limit'

const queues = createQueues({ maxQueue: 100 })

/**
 * Runs what relies on the branches and tags of a repository one at a time in this process: deleting some, choosing a default
 * branch, and publishing releases, whose tags are created by it.
 * @throws {DomainError} tooManyRequests if too many are waiting.
 */
export const inRefQueue = <T>(repositoryId: number, work: () => Promise<T>): Promise<T> =>
  queues(repositoryId, work)
