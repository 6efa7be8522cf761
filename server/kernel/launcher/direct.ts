import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Child } from './child'
import { type Command, descriptorsOf, graceMs, signalGroup } from './messages'

/** Has this very process start a command, which takes the longer the larger it is; tells whether it could. */
export function startDirectly(child: Child, command: Command): boolean {
  const { script, args, env, socket } = command
  child.isAsked = true
  const started = spawn('/bin/sh', ['-c', script, 'sh', ...args], {
    cwd: '/',
    env: env as NodeJS.ProcessEnv,
    stdio: ['pipe', 'pipe', 'pipe', ...(socket ? ['pipe' as const] : [])],
    detached: true,
  })
  started.once('error', error => child.end({ code: null, signal: null, error }))
  const { pid } = started
  if (pid === undefined) return false
  const sockets = descriptorsOf(command).map(descriptor => started.stdio[descriptor] as Socket)
  child.connect(pid, sockets, signal => signalGroup(pid, signal))
  started.stderr.on('data', (chunk: Buffer) => child.stderr.push(chunk))
  started.once('exit', (code, signal) => {
    // What it has left behind.
    signalGroup(pid, 'SIGTERM')
    const timer = setTimeout(() => {
      signalGroup(pid, 'SIGKILL')
      started.stderr.destroy()
    }, graceMs)
    const end = (): void => {
      clearTimeout(timer)
      child.end({ code, signal })
    }
    if (started.stderr.closed) end()
    else started.stderr.once('close', end)
  })
  return true
}
