import { once } from 'node:events'
import type { GitSettings } from '@/server/kernel/git/environment'
import type { GitMemory } from '@/server/kernel/git/memory'
import { spawnGit, textOf } from '@/server/kernel/git/run'
import type { Child } from '@/server/kernel/launcher/child'
import type { Logger } from '@/server/kernel/log'

/** A git process that talks to a client. */
export interface GitCall {
  process: Child
  /**
   * Waits for its end, and logs what it complained of; true when it ended well.
   * @throws {Error} when it could not start.
   */
  ended(): Promise<boolean>
}

/** Starts one of git's services for one request on a repository. */
export function startService(
  args: readonly string[],
  repository: string,
  settings: GitSettings,
  around: Around & { environment: Record<string, string>; memory?: GitMemory; socket?: boolean },
): GitCall {
  const { socket = false, environment, memory } = around
  return startGit([...args, '--', repository], { settings, environment, memory, socket }, around)
}

interface Around {
  log: Logger
  requestId: string
}

/** Starts git for one request. */
export function startGit(
  args: readonly string[],
  options: Parameters<typeof spawnGit>[1],
  around: Around,
): GitCall {
  const process = spawnGit(args, options)
  const complaint = textOf(process.stderr)
  const closed: Promise<unknown[]> = once(process, 'close')
  closed.catch(() => undefined)
  process.stdin.on('error', () => undefined)
  return {
    process,
    async ended() {
      const [code] = await closed
      const stderr = complaint().trim()
      if (stderr) around.log.debug({ requestId: around.requestId, code, stderr }, `git ${args[0]} said`)
      return code === 0
    },
  }
}

/** Ends the process when its client is gone before the answer is complete. */
export function endWithClient(process: Child, disconnected: AbortSignal): void {
  const end = () => process.kill('SIGTERM')
  if (disconnected.aborted) return void end()
  disconnected.addEventListener('abort', end, { once: true })
  process.once('close', () => disconnected.removeEventListener('abort', end))
}
