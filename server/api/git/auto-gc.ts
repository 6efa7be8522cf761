import { createLimiter } from '@/server/kernel/concurrency-limit'
import { durableConfig } from '@/server/kernel/git/environment'
import { memoryFor } from '@/server/kernel/git/memory'
import { GitError, runGit } from '@/server/kernel/git/run'
import type { Logger } from '@/server/kernel/log'
import { countPackedObjects, sizeKib } from '@/server/repos/storage'
import { GitHttpError } from './errors'
import type { Reserve } from './limits'

const settings = {
  ...durableConfig,
  'gc.autoDetach': 'false',
  // Larger packs are left as they are: writing them anew each time would cost more than it saves.
  'gc.bigPackThreshold': '256m',
}
const timeoutMs = 10 * 60 * 1000

/**
 * Creates a queue of `git gc --auto`, which packs a repository's loose objects and joins its packs where there are many.
 * Two run at a time, for at most ten minutes each; a repository that waits already is not queued again. One that gets no
 * memory is tried again after a minute.
 */
export function createAutoGc(
  log: Logger,
  { retryMs = 60_000 }: { retryMs?: number } = {},
): (repository: string, reserve: Reserve) => void {
  const withSlot = createLimiter({ concurrency: 2, maxQueue: 10_000 })
  const waiting = new Set<string>()
  const autoGc = (repository: string, reserve: Reserve): void => {
    if (waiting.has(repository)) return
    waiting.add(repository)
    withSlot(async () => {
      const [storedKib, objects] = await Promise.all([sizeKib(repository), countPackedObjects(repository)])
      await reserve(memoryFor({ storedKib, objects }), async memory => {
        waiting.delete(repository)
        await runGit(['gc', '--auto', '--quiet'], { repository, settings, memory, timeoutMs })
      })
    }).catch(error => {
      const again = () => {
        waiting.delete(repository)
        autoGc(repository, reserve)
      }
      if (error instanceof GitHttpError) return void setTimeout(again, retryMs).unref()
      waiting.delete(repository)
      // A repository deleted concurrently is no news.
      const level = error instanceof GitError ? 'debug' : 'warn'
      log[level]({ err: error, repository }, 'a repository was not tidied up')
    })
  }
  return autoGc
}
