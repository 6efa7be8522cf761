import cluster from 'node:cluster'
import { setTimeout as delay } from 'node:timers/promises'
import { createLog, type Logger } from '../log'
import { logLevelOf } from '../log-level'
import { onHangup } from './hangup'
import { createMembers, type Member } from './member'

// Service managers commonly kill after 30 seconds; the processes need up to 28.
const stopMs = 29_000
// A process that is replaced can go on with long requests while the next one is replaced.
const nextReplacementMs = 30_000

/** One of the processes that should run; its member changes if it is replaced or ends. */
interface Slot {
  member: Member
  /** How often in a row its process ended early. */
  failures: number
}

/** Time in milliseconds before a process is started again after this many early ends in a row. */
export const pauseAfter = (failures: number): number =>
  failures <= 1 ? 0 : Math.min(1000 * 2 ** (failures - 2), 30_000)

// A process that has run for so long did not fail to start.
const soundMs = 60_000

/**
 * Starts server processes that share one port, and keeps this number running. The first one starts alone, so
 * that only it migrates the database; if it cannot start, this process exits with its code. SIGTERM and SIGINT
 * stop all of them, and SIGHUP replaces them one by one.
 * @param program Path of the module that each process runs.
 */
export async function supervise(program: string, count: number): Promise<void> {
  const log = createLog(logLevelOf(process.env.GUILDHALL_LOG_LEVEL))
  const stopping = new AbortController()
  // Sockets in the file system are created here and must not be open to other users even for a moment. The
  // processes get the original mask back.
  const umask = process.umask(0o077)
  cluster.setupPrimary({ exec: program, args: process.argv.slice(2) })
  const members = createMembers({ umask, wanted: count, onEnded: (member, how) => onEnded(member, how) })
  const slots: Slot[] = []
  // A SIGHUP waits until what is under way has ended, even the first start, whose process may have read its
  // settings already.
  let isBusy = true
  let replaceNext = false

  const stop = (signal: NodeJS.Signals): void => {
    // A second Ctrl+C means "immediately". Without this process, the others exit at once.
    if (stopping.signal.aborted) process.exit(1)
    stopping.abort()
    log.info({ signal }, 'stopping all processes')
    setTimeout(() => process.exit(1), stopMs).unref()
    void members.stop().then(areSound => process.exit(areSound ? 0 : 1))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  onHangup(replaceAll, () => stop('SIGHUP'))

  function onEnded(member: Member, how: { code: number | null; signal: string | null }): void {
    const slot = slots.find(one => one.member === member)
    if (!slot || stopping.signal.aborted) return
    slot.failures = member.isReady && performance.now() - member.since > soundMs ? 1 : slot.failures + 1
    const pauseMs = pauseAfter(slot.failures)
    log.error({ pid: member.pid, ...how, pauseMs }, 'a server process ended; starting another one')
    void startAgain(slot, pauseMs)
  }

  async function startAgain(slot: Slot, pauseMs: number): Promise<void> {
    const { member } = slot
    await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    // It may have been replaced in the meantime.
    if (stopping.signal.aborted || slot.member !== member) return
    members.countRestart()
    slot.member = members.start()
  }

  function replaceAll(): void {
    if (stopping.signal.aborted) return
    if (isBusy) {
      replaceNext = true
      return
    }
    isBusy = true
    void replaceInTurn(slots, members.start, log, stopping.signal).finally(onFree)
  }

  function onFree(): void {
    isBusy = false
    if (!replaceNext) return
    replaceNext = false
    replaceAll()
  }

  const first = members.start({ isFirst: true })
  if (!(await first.ready)) {
    const { code } = await first.ended
    if (stopping.signal.aborted) return
    process.exit(code ?? 1)
  }
  slots.push({ member: first, failures: 0 })
  while (slots.length < count && !stopping.signal.aborted) {
    slots.push({ member: members.start(), failures: 0 })
  }
  onFree()
}

/**
 * Replaces the processes one by one, each once a new one serves. Starts none after `stopping`, because nothing would
 * stop it.
 */
export async function replaceInTurn(
  slots: readonly Slot[],
  start: () => Member,
  log: Pick<Logger, 'info' | 'error'>,
  stopping: AbortSignal,
): Promise<void> {
  log.info('replacing all server processes')
  for (const slot of slots) {
    if (stopping.aborted) return
    const fresh = start()
    const isReady = await fresh.ready
    if (stopping.aborted) return
    if (!isReady) return log.error('a new server process did not start; the others continue unchanged')
    const old = slot.member
    Object.assign(slot, { member: fresh, failures: 0 })
    old.retire()
    await Promise.race([old.ended, delay(nextReplacementMs, undefined, { ref: false })])
  }
  if (!stopping.aborted) log.info('replaced all server processes')
}
