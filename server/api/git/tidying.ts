import { memoryFor } from '@/server/kernel/git/memory'
import { GitError, runGit } from '@/server/kernel/git/run'
import { durable } from '@/server/kernel/git/settings'
import type { Logger } from '@/server/kernel/log'
import { createTurnstile } from '@/server/kernel/turnstile'
import { countPackedObjects, sizeKib } from '@/server/repos/git'
import type { Reserve } from './limits'

const settings = {
  ...durable,
  'gc.autoDetach': 'false',
  // Larger packs are left as they are: writing them anew each time would cost more than it saves.
  'gc.bigPackThreshold': '256m',
}
const timeoutMs = 10 * 60 * 1000

/**
 * Makes what tidies a repository up in the background, if git finds there is enough to do: single files become packs,
 * many packs one. Two at a time, ten minutes each; one that is waiting already is not put into line again.
 */
export function createTidying(log: Logger, reserve: Reserve): (repository: string) => void {
  const inLine = createTurnstile({ atOnce: 2, waiting: 10_000 })
  const waiting = new Set<string>()
  return repository => {
    if (waiting.has(repository)) return
    waiting.add(repository)
    inLine(async () => {
      waiting.delete(repository)
      const [storedKib, objects] = await Promise.all([sizeKib(repository), countPackedObjects(repository)])
      await reserve(memoryFor({ storedKib, objects }), memory =>
        runGit(['gc', '--auto', '--quiet'], { repository, settings, memory, timeoutMs }),
      )
    }).catch(error => {
      waiting.delete(repository)
      // A repository deleted meanwhile is no news.
      const level = error instanceof GitError ? 'debug' : 'warn'
      log[level]({ err: error, repository }, 'a repository was not tidied up')
    })
  }
}
