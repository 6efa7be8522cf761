import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Child } from './child'
import { endGroup, graceMs, signalGroup } from './group'
import { type Command, descriptorsOf } from './messages'

/** Callbacks for the start of a command. */
export interface StartHooks {
  /** Called with the duration of the start in seconds. */
  onStarted?: (seconds: number) => void
  onFailed?: () => void
}

/**
 * Starts a command as a direct child of this process, without the launcher process. This takes longer the
 * more memory this process uses.
 */
export function startDirectly(child: Child, command: Command, { onStarted, onFailed }: StartHooks): void {
  const { script, args, env, socket } = command
  const asked = performance.now()
  child.isStarting = true
  const fail = (error: Error): void => {
    onFailed?.()
    child.end({ code: null, signal: null, error })
  }
  let started: ChildProcessWithoutNullStreams
  try {
    started = spawn('/bin/sh', ['-c', script, 'sh', ...args], {
      cwd: '/',
      env: env as NodeJS.ProcessEnv,
      stdio: ['pipe', 'pipe', 'pipe', ...(socket ? ['pipe' as const] : [])],
      detached: true,
    }) as ChildProcessWithoutNullStreams
  } catch (error) {
    // Node throws if memory is short, and emits an event if descriptors are.
    process.nextTick(fail, error)
    return
  }
  started.once('error', fail)
  const { pid } = started
  if (pid === undefined) return
  onStarted?.((performance.now() - asked) / 1000)
  const sockets = descriptorsOf(command).map(descriptor => started.stdio[descriptor] as Socket)
  child.connect(pid, sockets, signal => signalGroup(pid, signal))
  started.stderr.on('data', (chunk: Buffer) => child.stderr.push(chunk))
  started.once('exit', (code, signal) => {
    // Stops what the command has left running.
    void endGroup(pid)
    const timer = setTimeout(() => started.stderr.destroy(), graceMs)
    const end = (): void => {
      clearTimeout(timer)
      child.end({ code, signal })
    }
    if (started.stderr.closed) end()
    else started.stderr.once('close', end)
  })
}
