import { once } from 'node:events'
import type { GitSettings } from '@/server/kernel/git/environment'
import type { GitMemory } from '@/server/kernel/git/memory'
import { spawnGit, textOf } from '@/server/kernel/git/run'
import type { Child } from '@/server/kernel/launcher/child'
import type { Logger } from '@/server/kernel/log'

/** A Git process that exchanges data with a client. */
export interface GitCall {
  process: Child
  /**
   * Waits until Git has exited, and logs its error output. Returns whether it succeeded.
   * @throws {Error} if Git could not be started.
   */
  ended(): Promise<boolean>
}

/** Starts one of Git's services on a repository for one request. */
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

/** Starts Git for one request. */
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

/** Ends the process if its client disconnects before the response is complete. */
export function endWithClient(process: Child, disconnected: AbortSignal): void {
  const end = () => process.kill('SIGTERM')
  if (disconnected.aborted) return void end()
  disconnected.addEventListener('abort', end, { once: true })
  process.once('close', () => disconnected.removeEventListener('abort', end))
}
