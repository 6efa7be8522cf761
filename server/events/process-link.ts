import { randomBytes } from 'node:crypto'
import type { Db } from '@/db/client'
import { type ChannelOptions, openChannel } from '@/db/server/channel'
import { isUnavailable } from '@/db/unavailable'
import type { Clock } from '@/server/kernel/clock'
import type { Logger } from '@/server/kernel/log'
import { settlesWithin } from '@/server/kernel/settles-within'
import { hubOf, type Signal } from './hub'
import { signalOf } from './signal-row'
import { readSignals, senderLength, writeSignals } from './signal-text'
import { trackEvents } from './unseen-events'

/** Intervals of the link between server processes, in milliseconds. Tests shorten them. */
export interface LinkOptions extends ChannelOptions {
  /** Signals within this time are sent together; under load, those within five times as long. */
  gatherMs?: number
  /** How often to read the table for events whose signal was lost. */
  lookMs?: number
}

/** Connection of this server process to the other server processes on the same database. */
export interface ProcessLink {
  /**
   * When this process started, if no other process was linked then: everything older belongs to processes
   * that have ended. Undefined if another process was linked, and if this could not be determined in five
   * seconds.
   */
  aloneAt: Promise<Date | undefined>
  /** Closes the link. Must be called before the database is closed. */
  close(): Promise<void>
}

const maxWaiting = 5_000
// How long to wait before a failed send is repeated.
const retryMs = 1_000
const maxOpenMs = 5_000

const missed: Signal[] = [{ kind: 'missed' }]

/**
 * Connects the event hubs of all server processes on the same PostgreSQL database, so that each hub also
 * publishes the signals of the others. After a lost connection, events recorded in the meantime are read from
 * the `events` table and published once each. Notices are not stored, so a signal says that some may have
 * been missed.
 */
export async function linkProcesses(
  { db, log, clock, databaseUrl }: { db: Db; log: Logger; clock: Clock; databaseUrl: string },
  { gatherMs = 5, lookMs = 30_000, ...channelOptions }: LinkOptions = {},
): Promise<ProcessLink> {
  const name = randomBytes(senderLength / 2).toString('hex')
  const hub = hubOf(db)
  const events = trackEvents(db)
  hub.linked = false
  let waiting: Signal[] = []
  let gathering: NodeJS.Timeout | undefined
  let isOpen = false
  let wasLost = false

  const stopListening = hub.listen((signals, source) => {
    if (source === 'elsewhere') return
    for (const signal of signals) if ('id' in signal) events.see(signal.id)
    // Beyond this, others are sent a signal that there were too many.
    if (waiting.length <= maxWaiting) waiting.push(...signals)
    if (isOpen) gathering ??= setTimeout(sendWaiting, gatherMs)
  })

  async function sendWaiting(): Promise<void> {
    const signals = waiting
    waiting = []
    const isSent = signals.length === 0 || (await channel.send(writeSignals(name, signals)))
    if (!isSent) waiting = [...signals, ...waiting].slice(0, maxWaiting + 1)
    const isMore = isOpen && waiting.length > 0
    gathering = isMore ? setTimeout(sendWaiting, isSent ? 5 * gatherMs : retryMs) : undefined
  }

  const look = oneAtATime(async (publish: boolean) => {
    try {
      const unseen = await events.read()
      if (!publish || unseen.length === 0) return
      hub.publish(unseen === 'many' ? missed : unseen.flatMap(row => signalOf(row) ?? []), 'elsewhere')
    } catch (error) {
      const level = isUnavailable(error) ? 'debug' : 'error'
      log[level]({ err: error }, 'cannot read events of other processes')
    }
  })

  const begunAt = clock.now()
  let foundOut: (isAlone: boolean) => void = () => {}
  const isAlone = new Promise<boolean>(resolve => {
    foundOut = resolve
    setTimeout(resolve, maxOpenMs, false).unref()
  })

  // Before the channel opens, because signals received from then on must not count as seen.
  await look.run(false)
  const channel = openChannel(
    databaseUrl,
    'guildhall_signals',
    {
      open(isAlone) {
        foundOut(isAlone)
        isOpen = true
        hub.linked = true
        if (wasLost) hub.publish(missed, 'elsewhere')
        void look.run(true)
        gathering ??= setTimeout(sendWaiting, 0)
      },
      text(text) {
        if (text.startsWith(name)) return
        const received = readSignals(text)
        if (!received) return
        if (received.signals === 'many') {
          hub.publish(missed, 'elsewhere')
          void look.run(true)
          return
        }
        const unseen = received.signals.filter(signal => !('id' in signal) || events.see(signal.id))
        if (unseen.length > 0) hub.publish(unseen, 'elsewhere')
      },
      lost(reason) {
        // Logged once, however many attempts to connect fail.
        if (isOpen || !wasLost)
          log.warn({ reason }, 'signals of other processes are not received until the database is back')
        isOpen = false
        hub.linked = false
        wasLost = true
      },
    },
    channelOptions,
  )
  const looks = setInterval(() => void look.run(true), lookMs).unref()

  return {
    aloneAt: isAlone.then(alone => (alone ? begunAt : undefined)),
    async close() {
      foundOut(false)
      stopListening()
      clearInterval(looks)
      if (isOpen) await settlesWithin(1_000, sendWaiting())
      clearTimeout(gathering)
      await channel.close()
      await look.settled()
    },
  }
}

/** Runs one call at a time. Calls that come meanwhile cause one more, which publishes. */
function oneAtATime(act: (publish: boolean) => Promise<void>) {
  let running: Promise<void> | undefined
  let runAgain = false
  function run(publish: boolean): Promise<void> {
    runAgain = running !== undefined
    running ??= act(publish).finally(() => {
      running = undefined
      if (runAgain) void run(true)
    })
    return running
  }
  return { run, settled: async () => running }
}
