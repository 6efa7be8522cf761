import { setTimeout as delay } from 'node:timers/promises'
import type { Report } from './messages'
import { type Program, removeDirectory, startProgram } from './start-program'

/**
 * Keeps the launcher process, which starts commands for the server, running by restarting it whenever it
 * exits.
 */
export interface Supervisor {
  /** Resolves to the running launcher once there is one; undefined while it cannot be started. */
  next(): Promise<Program | undefined>
  running(): Program | undefined
  /** Number of times it had to be started again. */
  restarts(): number
  stop(): void
}

const longestPauseMs = 5_000

// After this many failed attempts to start it again, `next` resolves to undefined.
const attemptsBeforeFallback = 3

/**
 * Starts the launcher process and restarts it whenever it exits. The result of its running commands is then
 * `lost`.
 * @param onLost Called when the launcher exits by itself or cannot be restarted.
 * @throws {Error} if it cannot be started the first time.
 */
export async function supervise(file: string, onLost?: (reason: string) => void): Promise<Supervisor> {
  let restarts = 0
  let isStopped = false
  let running: Program | undefined
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
    // Emitted after everything that it has reported.
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
      // The timer does not keep the process running, because nothing waits for it.
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
  return {
    next: () => next,
    running: () => running,
    restarts: () => restarts,
    stop() {
      isStopped = true
      const program = running
      if (!program) return
      lose(program)
      program.node.disconnect()
    },
  }
}
