import { createLimiter } from '@/server/kernel/concurrency-limit'
import { durableConfig } from '@/server/kernel/git/config'
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
 * Makes what tidies a repository up in the background, if git finds there is enough to do: single files become packs,
 * many packs one. Two at a time, ten minutes each; one that is waiting already is not put into line again. Where there is
 * no memory for it, it is tried again a minute later.
 */
export function createTidying(
  log: Logger,
  { againMs = 60_000 }: { againMs?: number } = {},
): (repository: string, reserve: Reserve) => void {
  const inLine = createLimiter({ concurrency: 2, maxQueue: 10_000 })
  const waiting = new Set<string>()
  const tidyUp = (repository: string, reserve: Reserve): void => {
    if (waiting.has(repository)) return
    waiting.add(repository)
    inLine(async () => {
      const [storedKib, objects] = await Promise.all([sizeKib(repository), countPackedObjects(repository)])
      await reserve(memoryFor({ storedKib, objects }), async memory => {
        waiting.delete(repository)
        await runGit(['gc', '--auto', '--quiet'], { repository, settings, memory, timeoutMs })
      })
    }).catch(error => {
      const again = () => {
        waiting.delete(repository)
        tidyUp(repository, reserve)
      }
      if (error instanceof GitHttpError) return void setTimeout(again, againMs).unref()
      waiting.delete(repository)
      // A repository deleted meanwhile is no news.
      const level = error instanceof GitError ? 'debug' : 'warn'
      log[level]({ err: error, repository }, 'a repository was not tidied up')
    })
  }
  return tidyUp
}
