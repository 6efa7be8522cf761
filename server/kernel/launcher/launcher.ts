import type { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createLimiter } from '../concurrency-limit'
import type { Child, Outcome } from './child'
import { openConnection, readPid } from './connections'
import { type StartHooks, startDirectly } from './direct'
import { endGroup } from './group'
import { type Command, descriptorsOf, type End, type Order, type Report } from './messages'
import { type Program, removeDirectory, socketName, startProgram } from './start-program'

export interface LauncherState {
  /** Null while it does not run. */
  pid: number | null
  /** How often it had to be started again. */
  restarts: number
}

/** A small process that starts all others, because `fork` takes longer in a process that uses more memory. */
export interface Launcher {
  start(child: Child, command: Command): void
  state(): LauncherState
  /** Ends it, and with it all that it has started. */
  stop(): void
}

interface LauncherOptions extends StartHooks {
  /** The module that it runs. */
  program: string
  /** It exited by itself, or could not be started again. */
  onLost?: (reason: string) => void
}

// Each opens up to three connections, and every system queues a hundred until they are accepted.
const concurrentStarts = 32

const longestPauseMs = 5_000

// After so many failed attempts to start it again, the server starts waiting commands itself.
const attemptsBeforeFallback = 3

// A launcher that does not answer would hold up every other start.
const startMs = 10_000

// If the launcher exits so often before a command has started, the server starts it itself.
const maxTries = 2

const killed: End = { code: null, signal: 'SIGKILL' }

/**
 * Starts the launcher, and again whenever it exits. Commands that it had started are killed then. Commands that it had not
 * started go to the next launcher, or to this process if there is none.
 * @throws {Error} when it cannot be started.
 */
export async function startLauncher({ program: file, onLost, ...hooks }: LauncherOptions): Promise<Launcher> {
  const { onStarted, onFailed } = hooks
  const withTurn = createLimiter({ concurrency: concurrentStarts, maxQueue: Number.POSITIVE_INFINITY })
  let lastId = 0
  let restarts = 0
  let isStopped = false
  let running: Program | undefined
  /** Undefined while this process has to do without. */
  let next: Promise<Program | undefined> = Promise.resolve(undefined)

  async function begin(): Promise<Program> {
    const program = await startProgram(file)
    const { node, commands } = program
    node.on('message', (report: Report) => {
      if (report.type === 'ready') return
      const command = commands.get(report.id)
      if (report.type === 'stderr') command?.child.stderr.push(report.text)
      else if (report.type === 'ended') command?.settle(report)
      else command?.settle({ code: null, signal: null, error: new Error(report.message) })
    })
    // After all that it has reported.
    node.once('disconnect', () => lose(program))
    running = program
    return program
  }

  function lose(lost: Program): void {
    if (lost.isLost) return
    running = undefined
    lost.isLost = true
    next = isStopped ? Promise.resolve(undefined) : beginAgain(performance.now() - lost.since)
    for (const { settle } of lost.commands.values()) settle('lost')
    removeDirectory(lost.directory)
    if (isStopped) return
    const { node } = lost
    const reportLoss = (): void => onLost?.(node.signalCode ?? `exit code ${node.exitCode}`)
    if (node.exitCode === null && node.signalCode === null) node.once('exit', reportLoss)
    else reportLoss()
  }

  /** Starts it again; gives undefined where that does not succeed soon, and then goes on trying. */
  async function beginAgain(livedMs: number): Promise<Program | undefined> {
    let pauseMs = livedMs < 1_000 ? 100 : 0
    for (let attempt = 1; attempt <= attemptsBeforeFallback; attempt++) {
      const program = await tryAgain(pauseMs)
      if (program) return program
      pauseMs = 2 * pauseMs + 100
    }
    void keepTrying()
    return undefined
  }

  async function keepTrying(): Promise<void> {
    while (!isStopped) {
      // Nothing waits for this.
      const program = await tryAgain(longestPauseMs, { ref: false })
      if (!program) continue
      if (!program.isLost) next = Promise.resolve(program)
      return
    }
  }

  async function tryAgain(pauseMs: number, options = {}): Promise<Program | undefined> {
    await delay(pauseMs, undefined, options)
    if (isStopped) return undefined
    try {
      const program = await begin()
      restarts++
      return program
    } catch (error) {
      onLost?.((error as Error).message)
      return undefined
    }
  }

  const first = await begin()
  if (!first.isLost) next = Promise.resolve(first)

  /** Has the launcher start a command; false if the launcher exits before the command has started. */
  async function start(child: Child, command: Command): Promise<boolean> {
    const asked = performance.now()
    const program = await next
    if (child.hasEnded) return true
    if (program?.isLost) return false
    if (!program) {
      startDirectly(child, command, hooks)
      return true
    }
    const { node, directory, commands } = program
    const id = ++lastId
    child.isStarting = true
    const outcome = new Promise<Outcome | 'lost'>(settle => commands.set(id, { child, settle }))
    if (commands.size === 1) node.channel?.ref()
    const forget = (): void => {
      commands.delete(id)
      if (commands.size === 0) node.channel?.unref()
    }
    const send = (order: Order): void => {
      if (node.connected) node.send(order, () => undefined)
    }
    let failure: Error | undefined
    const drop = (error: NodeJS.ErrnoException): void => {
      if (child.pid !== undefined) return
      failure ??= error
      // Not the one that tells whether it has started.
      for (const [index, socket] of sockets.entries()) if (index !== 1) socket.destroy()
      // Somebody has removed the launcher's socket, and only a new launcher makes a new one.
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') node.kill('SIGKILL')
      else send({ type: 'drop', id })
    }
    send({ type: 'start', id, ...command })
    const path = join(directory, socketName)
    const sockets = descriptorsOf(command).map(descriptor => openConnection(path, id, descriptor, drop))
    let isKnown = false
    // If this process was blocked, the answer may have arrived in time and not been read yet.
    const giveUpSoon = (): void => void setImmediate(() => isKnown || node.kill('SIGKILL'))
    const tooLate = setTimeout(giveUpSoon, startMs)
    const pid = await readPid(sockets[1] as Socket)
    if (pid === undefined) {
      for (const socket of sockets) socket.destroy()
      const end = await outcome
      isKnown = true
      clearTimeout(tooLate)
      forget()
      if (end === 'lost') return false
      onFailed?.()
      child.end(end.error ? { ...end, error: failure ?? end.error } : end)
      return true
    }
    isKnown = true
    clearTimeout(tooLate)
    onStarted?.((performance.now() - asked) / 1000)
    child.connect(pid, sockets, signal => send({ type: 'signal', id, signal }))
    void outcome.then(async end => {
      forget()
      if (end === 'lost') await endGroup(pid)
      child.end(end === 'lost' ? killed : end)
    })
    return true
  }

  async function startSomehow(child: Child, command: Command): Promise<void> {
    for (let tries = 0; tries < maxTries; tries++) {
      if (child.hasEnded || (await start(child, command))) return
      child.isStarting = false
      if (child.pendingSignal) return child.end({ code: null, signal: child.pendingSignal })
    }
    startDirectly(child, command, hooks)
  }

  return {
    start(child, command) {
      withTurn(() => startSomehow(child, command)).catch(error =>
        child.end({ code: null, signal: null, error }),
      )
    },
    state: () => ({ pid: running?.node.pid ?? null, restarts }),
    stop() {
      isStopped = true
      const program = running
      if (!program) return
      lose(program)
      program.node.disconnect()
    },
  }
}
