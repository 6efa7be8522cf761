import { isBackupRunning } from '@/server/kernel/backup-hold'
import { createLimiter } from '@/server/kernel/concurrency-limit'
import { durableConfig } from '@/server/kernel/git/environment'
import { memoryFor } from '@/server/kernel/git/memory'
import { forgetObjects } from '@/server/kernel/git/objects'
import { GitError, runGit } from '@/server/kernel/git/run'
import { type MaintenanceRequest, maintenance } from '@/server/repos/push'
import { countPackedObjects, packsOf, repositoryPath, sizeKib } from '@/server/repos/storage'
import type { Services } from '@/server/services'
import { GitHttpError } from './errors'
import { gitMemoryOf, type Reserve } from './limits'

const settings = {
  ...durableConfig,
  'gc.autoDetach': 'false',
  // Larger packs are left as they are: writing them anew each time would cost more than it saves.
  'gc.bigPackThreshold': '256m',
  // Written separately, with changed paths.
  'gc.writeCommitGraph': 'false',
}
// With the paths that each commit changed, Git skips most commits in the history of a file. Finding them takes longest,
// so those of older commits in very large histories are left to the next repacking.
const commitGraph = ['commit-graph', 'write', '--reachable', '--changed-paths', '--max-new-filters=100000']
const timeoutMs = 10 * 60 * 1000

/**
 * Creates a queue of maintenance: `git gc --auto`, which packs a repository's loose objects and joins its packs if
 * there are many, and then the commit-graph, with which Git walks history without reading commits. Two run
 * concurrently, for at most ten minutes each. A repository that is queued already is not queued again, and one that
 * gets no memory, or waits for a backup to end, is tried again after a minute. What runs or waits when the process
 * stops is left to the next push.
 */
export function createAutoGc(
  { db, log, background }: Pick<Services, 'db' | 'log' | 'background'>,
  { retryMs = 60_000 }: { retryMs?: number } = {},
): (repository: string, reserve: Reserve) => void {
  const withSlot = createLimiter({ concurrency: 2, maxQueue: 10_000 })
  const waiting = new Set<string>()
  const { stopping: signal } = background
  const tidyUp = (repository: string, reserve: Reserve): Promise<void> =>
    withSlot(async () => {
      signal.throwIfAborted()
      if (await isBackupRunning(db)) throw new BackupRuns()
      const [storedKib, objects] = await Promise.all([sizeKib(repository), countPackedObjects(repository)])
      signal.throwIfAborted()
      await reserve(memoryFor({ storedKib, objects }), async memory => {
        waiting.delete(repository)
        const options = { repository, settings, memory, timeoutMs, signal }
        const before = await packsOf(repository)
        await runGit(['gc', '--auto', '--quiet'], options)
        const after = new Set(await packsOf(repository))
        const isRepacked = before.some(pack => !after.has(pack))
        if (isRepacked) forgetObjects(repository)
        // Commits that a repacking has deleted must not remain in any layer of the graph.
        const layers = isRepacked ? '--split=replace' : '--split'
        await runGit([...commitGraph, layers], options)
      })
    })
  const autoGc = (repository: string, reserve: Reserve): void => {
    if (waiting.has(repository)) return
    waiting.add(repository)
    const again = (): void => {
      waiting.delete(repository)
      autoGc(repository, reserve)
    }
    const explain = (error: unknown): void => {
      if (signal.aborted) return
      if (error instanceof GitHttpError || error instanceof BackupRuns)
        return void setTimeout(again, retryMs).unref()
      waiting.delete(repository)
      // A repository deleted concurrently is no news.
      const level = error instanceof GitError ? 'debug' : 'warn'
      log[level]({ err: error, repository }, 'git maintenance failed')
    }
    background.run(() => tidyUp(repository, reserve).catch(explain))
  }
  return autoGc
}

/** A running backup may still have to copy what `git gc` would delete. */
class BackupRuns extends Error {}

const known = new WeakMap<Services, MaintenanceRequest>()

/** Returns the `git gc` queue of these services. Its memory counts for the account whose push it follows. */
export function autoGcOf(services: Services): MaintenanceRequest {
  const made = known.get(services) ?? tidyUpFor(services)
  known.set(services, made)
  maintenance().request = made
  return made
}

function tidyUpFor(services: Services): MaintenanceRequest {
  const { config, background } = services
  const autoGc = createAutoGc(services)
  const memory = gitMemoryOf(services)
  // No one waits for this, no matter how the push arrived.
  const disconnected = () => background.stopping
  return ({ storage_key }, account) =>
    autoGc(
      repositoryPath(config, storage_key),
      memory({ address: '', isAnonymous: false, account, disconnected }),
    )
}
