import type { Socket } from 'node:net'
import { join } from 'node:path'
import type { Child, Outcome } from './child'
import { openConnection, readPid } from './connections'
import type { StartHooks } from './direct'
import { endGroup } from './group'
import { type Command, descriptorsOf, type End, type Order } from './messages'
import { type Program, socketName } from './start-program'

// A launcher that does not answer would hold up every other start.
const startMs = 10_000

const killed: End = { code: null, signal: 'SIGKILL' }

let lastId = 0

/**
 * Starts a command through the launcher process, and connects the streams of `child` to the command.
 * @returns false if the launcher exits before the command has started
 */
export async function startThrough(
  program: Program,
  child: Child,
  command: Command,
  { onStarted, onFailed }: StartHooks,
): Promise<boolean> {
  const asked = performance.now()
  const { node } = program
  child.isStarting = true
  const { id, outcome, forget } = register(program, child)
  const send = (order: Order): void => {
    if (node.connected) node.send(order, () => undefined)
  }
  let failure: Error | undefined
  const drop = (error: NodeJS.ErrnoException): void => {
    if (child.pid !== undefined) return
    failure ??= error
    // Not the socket that says whether the command has started.
    for (const [index, socket] of sockets.entries()) if (index !== 1) socket.destroy()
    // The launcher's socket was removed, and only a new launcher creates a new one.
    if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') node.kill('SIGKILL')
    else send({ type: 'drop', id })
  }
  send({ type: 'start', id, ...command })
  const path = join(program.directory, socketName)
  const sockets = descriptorsOf(command).map(descriptor => openConnection(path, id, descriptor, drop))
  const answered = killUnlessAnswered(program)
  const pid = await readPid(sockets[1] as Socket)
  if (pid === undefined) {
    for (const socket of sockets) socket.destroy()
    const end = await outcome
    answered()
    forget()
    if (end === 'lost') return false
    onFailed?.()
    child.end(end.error ? { ...end, error: failure ?? end.error } : end)
    return true
  }
  answered()
  onStarted?.((performance.now() - asked) / 1000)
  child.connect(pid, sockets, signal => send({ type: 'signal', id, signal }))
  void outcome.then(async end => {
    forget()
    if (end === 'lost') await endGroup(pid)
    child.end(end === 'lost' ? killed : end)
  })
  return true
}

/** Registers a command with the launcher, which keeps this process running until the command is forgotten. */
function register({ node, commands }: Program, child: Child) {
  const id = ++lastId
  const outcome = new Promise<Outcome | 'lost'>(settle => commands.set(id, { child, settle }))
  if (commands.size === 1) node.channel?.ref()
  const forget = (): void => {
    commands.delete(id)
    if (commands.size === 0) node.channel?.unref()
  }
  return { id, outcome, forget }
}

/** Kills a launcher that does not answer in time, unless the returned function is called before. */
function killUnlessAnswered({ node }: Program): () => void {
  let isAnswered = false
  // If this process was blocked, the answer may have arrived in time and not been read yet.
  const kill = (): void => void setImmediate(() => isAnswered || node.kill('SIGKILL'))
  const timer = setTimeout(kill, startMs)
  return () => {
    isAnswered = true
    clearTimeout(timer)
  }
}
