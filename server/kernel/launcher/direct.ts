import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Child } from './child'
import { endGroup, graceMs, signalGroup } from './group'
import { type Command, descriptorsOf } from './messages'

/** Starts a command from this process, for which `fork` takes the longer the more memory it uses; false where it cannot. */
export function startDirectly(child: Child, command: Command): boolean {
  const { script, args, env, socket } = command
  child.isStarting = true
  const fail = (error: Error): void => child.end({ code: null, signal: null, error })
  let started: ChildProcessWithoutNullStreams
  try {
    started = spawn('/bin/sh', ['-c', script, 'sh', ...args], {
      cwd: '/',
      env: env as NodeJS.ProcessEnv,
      stdio: ['pipe', 'pipe', 'pipe', ...(socket ? ['pipe' as const] : [])],
      detached: true,
    }) as ChildProcessWithoutNullStreams
  } catch (error) {
    // Node throws for want of memory, and emits an event for want of descriptors.
    process.nextTick(fail, error)
    return false
  }
  started.once('error', fail)
  const { pid } = started
  if (pid === undefined) return false
  const sockets = descriptorsOf(command).map(descriptor => started.stdio[descriptor] as Socket)
  child.connect(pid, sockets, signal => signalGroup(pid, signal))
  started.stderr.on('data', (chunk: Buffer) => child.stderr.push(chunk))
  started.once('exit', (code, signal) => {
    // What it has left behind.
    void endGroup(pid)
    const timer = setTimeout(() => started.stderr.destroy(), graceMs)
    const end = (): void => {
      clearTimeout(timer)
      child.end({ code, signal })
    }
    if (started.stderr.closed) end()
    else started.stderr.once('close', end)
  })
  return true
}
