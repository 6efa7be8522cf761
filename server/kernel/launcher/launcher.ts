import { type ChildProcess, fork } from 'node:child_process'
import { rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createLimiter } from '../concurrency-limit'
import type { Child, Outcome } from './child'
import { openConnection, readPid } from './connections'
import { startDirectly } from './direct'
import {
  type Command,
  descriptorsOf,
  type End,
  graceMs,
  type Order,
  type Report,
  signalGroup,
} from './messages'

export interface LauncherState {
  /** Null while it does not run. */
  pid: number | null
  /** How often it had to be started again. */
  restarts: number
}

/** A small process that starts all others, because starting one costs a process the more the larger it is. */
export interface Launcher {
  start(child: Child, command: Command): void
  state(): LauncherState
  /** Ends it, and with it all that it has started. */
  stop(): void
}

interface LauncherOptions {
  /** The module that it runs. */
  program: string
  onStarted?: (seconds: number) => void
  onFailed?: () => void
  /** It has ended by itself; it is started again. */
  onLost?: (reason: string) => void
}

// Each has up to three connections that wait to be taken, for which every system has room.
const startsAtOnce = 32

const readyMs = 10_000
const longestPauseMs = 5_000

// After so many attempts to start it again, what waits is started without it.
const patientAttempts = 3

// A launcher that does not answer would hold up every other start.
const startMs = 30_000

// How often one command may be lost with a launcher before it has started.
const maxTries = 2

const killed: End = { code: null, signal: 'SIGKILL' }

/** A launcher that runs. */
interface Program {
  node: ChildProcess
  path: string
  since: number
  isLost: boolean
  /** The commands that it was asked to start, each with what is called with what becomes of it. */
  commands: Map<number, { child: Child; settle: (outcome: Outcome | 'lost') => void }>
}

/**
 * Starts the launcher. One that ends by itself is started again at once; what it had started is ended with it, and what it
 * had not is started by the next, or by this process while there is none.
 * @throws {Error} when it cannot be started.
 */
export async function startLauncher({
  program: file,
  onStarted,
  onFailed,
  onLost,
}: LauncherOptions): Promise<Launcher> {
  const withTurn = createLimiter({ concurrency: startsAtOnce, maxQueue: Number.POSITIVE_INFINITY })
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
      if (report.type === 'said') command?.child.stderr.push(report.text)
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
    if (isStopped) return
    restarts++
    // It does so itself, unless it was killed.
    rm(dirname(lost.path), { recursive: true, force: true }).catch(() => undefined)
    const { node } = lost
    const tell = (): void => onLost?.(node.signalCode ?? `exit code ${node.exitCode}`)
    if (node.exitCode === null && node.signalCode === null) node.once('exit', tell)
    else tell()
  }

  /** Starts it again; gives undefined where that does not succeed soon, and then goes on trying. */
  async function beginAgain(livedMs: number): Promise<Program | undefined> {
    let pauseMs = livedMs < 1_000 ? 100 : 0
    for (let attempt = 1; attempt <= patientAttempts; attempt++) {
      const program = await tryAgain(pauseMs)
      if (program) return program
      pauseMs = 2 * pauseMs + 100
    }
    void keepTrying()
    return undefined
  }

  async function keepTrying(): Promise<void> {
    while (!isStopped) {
      const program = await tryAgain(longestPauseMs)
      if (!program) continue
      if (!program.isLost) next = Promise.resolve(program)
      return
    }
  }

  async function tryAgain(pauseMs: number): Promise<Program | undefined> {
    await delay(pauseMs)
    try {
      return await begin()
    } catch (error) {
      onLost?.((error as Error).message)
      return undefined
    }
  }

  const first = await begin()
  if (!first.isLost) next = Promise.resolve(first)

  /** Has the command started; false when the launcher was lost before it was. */
  async function start(child: Child, command: Command): Promise<boolean> {
    const asked = performance.now()
    const program = await next
    if (child.hasEnded) return true
    if (program?.isLost) return false
    if (!program) {
      if (startDirectly(child, command)) onStarted?.((performance.now() - asked) / 1000)
      else onFailed?.()
      return true
    }
    const { node, path, commands } = program
    const id = ++lastId
    child.isAsked = true
    const outcome = new Promise<Outcome | 'lost'>(settle => commands.set(id, { child, settle }))
    if (commands.size === 1) node.channel?.ref()
    const forget = (): void => {
      commands.delete(id)
      if (commands.size === 0) node.channel?.unref()
    }
    const send = (order: Order): void => {
      if (node.connected) node.send(order, () => undefined)
    }
    const drop = ({ code }: NodeJS.ErrnoException): void => {
      if (child.pid !== undefined) return
      for (const socket of sockets) socket.destroy()
      // Somebody has removed its socket: the next one has another.
      if (code === 'ENOENT' || code === 'ECONNREFUSED') node.kill('SIGKILL')
      else send({ type: 'drop', id })
    }
    send({ type: 'start', id, ...command })
    const sockets = descriptorsOf(command).map(descriptor => openConnection(path, id, descriptor, drop))
    const tooLate = setTimeout(() => node.kill('SIGKILL'), startMs)
    const pid = await readPid(sockets[1] as Socket)
    if (pid === undefined) {
      for (const socket of sockets) socket.destroy()
      const end = await outcome
      clearTimeout(tooLate)
      forget()
      if (end === 'lost') return false
      onFailed?.()
      child.end(end)
      return true
    }
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

  return {
    start(child, command) {
      void withTurn(async () => {
        for (let tries = 0; tries < maxTries; tries++) {
          if (child.hasEnded || (await start(child, command))) return
          child.isAsked = false
          if (child.wanted) return child.end({ code: null, signal: child.wanted })
        }
        onFailed?.()
        child.end({
          code: null,
          signal: null,
          error: new Error('the launcher ended twice before it had started this'),
        })
      })
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

async function startProgram(file: string): Promise<Program> {
  const node = fork(file, [], {
    cwd: '/',
    env: environment(),
    execArgv: ['--max-old-space-size=64', '--max-semi-space-size=1'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // Not in reach of Ctrl+C.
    detached: true,
  })
  let timer: NodeJS.Timeout | undefined
  try {
    const path = await new Promise<string>((resolve, reject) => {
      node.once('message', (report: Report) => report.type === 'ready' && resolve(report.path))
      node.on('error', reject)
      node.once('exit', code => reject(new Error(`the launcher ended with ${code}`)))
      timer = setTimeout(() => reject(new Error('the launcher did not start in time')), readyMs)
    })
    node.unref()
    node.channel?.unref()
    return { node, path, since: performance.now(), isLost: false, commands: new Map() }
  } catch (error) {
    node.kill('SIGKILL')
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** What Node itself may need to start: no setting of ours is the launcher's to know. */
function environment(): NodeJS.ProcessEnv {
  const known = ['TMPDIR', 'LD_LIBRARY_PATH'].flatMap(name => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(known) as unknown as NodeJS.ProcessEnv
}

/** Ends what a lost launcher had started, politely first. */
async function endGroup(pid: number): Promise<void> {
  const stepMs = 20
  for (const [signal, waitMs] of [
    ['SIGTERM', graceMs],
    ['SIGKILL', 500],
  ] as const) {
    if (!signalGroup(pid, signal)) return
    for (let waited = 0; waited < waitMs; waited += stepMs) {
      await delay(stepMs)
      if (!signalGroup(pid, 0)) return
    }
  }
}
