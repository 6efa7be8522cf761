import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { endGroup, graceMs, signalGroup } from './group'
import { type Command, descriptorsOf, type Order, type Report } from './messages'

// The launcher: the process that starts the server's commands. It knows nothing about the site and exits with
// the server. Its argument is the path of the socket on which it listens, in a directory of its own.

// The server may have exited before this line runs.
if (!process.connected) process.exit()

// Limit of a command's standard error that is reported; the rest is dropped.
const maxErrorText = 8 * 1024

// A command prints its process ID before anything else, so that the server knows every command that runs; a
// report would be lost if the launcher crashed. If the process ID cannot be written, the script does not run.
const announced = `printf '%s\\n' "$$" || exit 1\n`

const [path = ''] = process.argv.slice(2)
process.once('exit', () => {
  try {
    rmSync(dirname(path), { recursive: true, force: true })
  } catch {
    // The server also removes it.
  }
})

/** A command that has not been started yet, with the parts of it that have arrived. */
interface Waiting {
  command?: Command
  connections: Map<number, Socket>
}

interface Started {
  pid: number
  hasExited: boolean
}

const waiting = new Map<number, Waiting>()
const started = new Map<number, Started>()
// Process groups of commands that may have left processes running.
const leftovers = new Set<number>()

const server = createServer({ allowHalfOpen: true }, readGreeting)
server.once('error', error => {
  process.stderr.write(`The launcher cannot listen: ${error.message}\n`)
  process.exit(1)
})
server.listen({ path, backlog: 1024 }, () => {
  // For errors of accept: the server sees the connection close and drops the command.
  server.removeAllListeners('error').on('error', () => undefined)
  sendMessage({ type: 'ready' })
})

process.on('message', (order: Order) => {
  const { id } = order
  if (order.type === 'start') {
    waitingFor(id).command = order
    startIfReady(id)
  } else if (order.type === 'drop') {
    if (!waiting.get(id)?.command) return
    forget(id)
    sendMessage({ type: 'failed', id, message: 'its connections could not be opened' })
  } else {
    const { pid = 0, hasExited = true } = started.get(id) ?? {}
    if (!hasExited) signalGroup(pid, order.signal)
  }
})

process.on('disconnect', () => {
  server.close()
  for (const id of waiting.keys()) forget(id)
  const signalAll = (signal: NodeJS.Signals): void => {
    for (const { pid, hasExited } of started.values()) if (!hasExited) signalGroup(pid, signal)
  }
  signalAll('SIGTERM')
  const timer = setTimeout(signalAll, graceMs, 'SIGKILL')
  const leave = setInterval(() => {
    if (started.size + leftovers.size > 0) return
    clearTimeout(timer)
    clearInterval(leave)
  }, 20)
})

// Signals to a whole terminal or service are handled by the server, which stops this process once it is no
// longer needed.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

function waitingFor(id: number): Waiting {
  const known = waiting.get(id) ?? { connections: new Map() }
  waiting.set(id, known)
  return known
}

/**
 * Reads which command and descriptor a connection is for. Nothing else arrives on it before the command has
 * started.
 */
function readGreeting(connection: Socket): void {
  let greeting = ''
  let id = 0
  const read = (): void => {
    greeting += connection.read() ?? ''
    if (!greeting.endsWith('\n')) return
    connection.off('readable', read)
    const [command = 0, descriptor = 0] = greeting.split(' ').map(Number)
    id = command
    waitingFor(id).connections.set(descriptor, connection)
    startIfReady(id)
  }
  connection.on('readable', read)
  connection.on('error', () => connection.destroy())
  // The server closed the connection. If no start order has arrived, nothing else removes this entry.
  connection.once('end', () => {
    connection.destroy()
    if (!waiting.get(id)?.command) waiting.delete(id)
  })
}

function startIfReady(id: number): void {
  const { command, connections } = waitingFor(id)
  if (!command || descriptorsOf(command).some(descriptor => !connections.has(descriptor))) return
  try {
    start(id, command, connections)
  } catch (error) {
    sendMessage({ type: 'failed', id, message: (error as Error).message })
  }
  forget(id)
}

/** Removes a waiting command and closes our side of its connections. */
function forget(id: number): void {
  for (const connection of waiting.get(id)?.connections.values() ?? []) connection.destroy()
  waiting.delete(id)
}

function start(id: number, { script, args, env }: Command, connections: ReadonlyMap<number, Socket>): void {
  const socket = connections.get(3)
  // Node makes the first three descriptors blocking; shells and Git expect that of the fourth, too.
  ;(socket as unknown as { _handle: { setBlocking(on: boolean): void } } | undefined)?._handle.setBlocking(
    true,
  )
  const child = spawn('/bin/sh', ['-c', announced + script, 'sh', ...args], {
    cwd: '/',
    env: env as NodeJS.ProcessEnv,
    stdio: [connections.get(0), connections.get(1), 'pipe', ...(socket ? [socket] : [])],
    detached: true,
  })
  let left = maxErrorText
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (left > 0) sendMessage({ type: 'stderr', id, text: text.slice(0, left) })
    left -= text.length
  })
  child.once('error', error => sendMessage({ type: 'failed', id, message: error.message }))
  const { pid } = child
  if (pid === undefined) return
  const running = { pid, hasExited: false }
  started.set(id, running)
  let timer: NodeJS.Timeout | undefined
  child.once('exit', () => {
    running.hasExited = true
    // Stops what the command has left running, which is usually nothing.
    leftovers.add(pid)
    void endGroup(pid).then(() => leftovers.delete(pid))
    // A process in another session may still have standard error open.
    timer = setTimeout(() => child.stderr?.destroy(), graceMs)
  })
  child.once('close', (code, signal) => {
    clearTimeout(timer)
    started.delete(id)
    sendMessage({ type: 'ended', id, code, signal })
  })
}

function sendMessage(report: Report): void {
  // The server may just have exited.
  if (process.connected) process.send?.(report, undefined, {}, () => undefined)
}
