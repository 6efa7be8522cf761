import { randomBytes } from 'node:crypto'
import type { Db } from '@/db/client'
import { type ChannelOptions, openChannel } from '@/db/server/channel'
import { isUnavailable } from '@/db/unavailable'
import type { Clock } from '@/server/kernel/clock'
import type { Logger } from '@/server/kernel/log'
import { settlesWithin } from '@/server/kernel/settles-within'
import { hubOf, type Signal } from './hub'
import { signalColumns, signalOf } from './signal-row'
import { readSignals, senderLength, writeSignals } from './signal-text'

export interface LinkOptions extends ChannelOptions {
  /** Signals of so long go out together; under load those of five times as long. */
  gatherMs?: number
  /** How often events are looked for that nobody told of. */
  lookMs?: number
}

export interface ProcessLink {
  /**
   * When this process began, where no other was linked then: what is older is of processes that have ended. Undefined where
   * another one was, and where that could not be found out in five seconds.
   */
  aloneAt: Promise<Date | undefined>
  /** Ends it; call it before the database is closed. */
  close(): Promise<void>
}

// The ids of events do not tell the order of their commits: one may come so far behind the highest known.
const overlap = 1_000
const maxLookedBack = 5_000
const maxWaiting = 5_000
// What could not be sent is sent again after so long.
const againMs = 1_000
const maxOpenMs = 5_000

/**
 * Tells the hubs of all processes on a PostgreSQL what happens in each. After the connection was lost, the events that were
 * recorded in the meantime are told from the table, each once; of notices it is told only that some may be missing.
 */
export async function linkProcesses(
  { db, log, clock, databaseUrl }: { db: Db; log: Logger; clock: Clock; databaseUrl: string },
  { gatherMs = 5, lookMs = 30_000, ...channelOptions }: LinkOptions = {},
): Promise<ProcessLink> {
  const name = randomBytes(senderLength / 2).toString('hex')
  const hub = hubOf(db)
  const known = rememberIds(maxLookedBack)
  let waiting: Signal[] = []
  let gathering: NodeJS.Timeout | undefined
  let isOpen = false
  let wasLost = false
  let looking: Promise<void> | undefined
  let lookAgain = false

  const stopListening = hub.listen((signals, source) => {
    if (source === 'elsewhere') return
    for (const signal of signals) if ('id' in signal) known.add(signal.id)
    // Of more than this, others are told that they were many.
    if (waiting.length <= maxWaiting) waiting.push(...signals)
    if (isOpen) gathering ??= setTimeout(sendWaiting, gatherMs)
  })

  async function sendWaiting(): Promise<void> {
    const signals = waiting
    waiting = []
    const isSent = signals.length === 0 || (await channel.send(writeSignals(name, signals)))
    if (!isSent) waiting = [...signals, ...waiting].slice(0, maxWaiting + 1)
    const isMore = isOpen && waiting.length > 0
    gathering = isMore ? setTimeout(sendWaiting, isSent ? 5 * gatherMs : againMs) : undefined
  }

  /** Tells of the events that are in the table and were not told, one look at a time. */
  function look(publish: boolean): Promise<void> {
    lookAgain = looking !== undefined
    looking ??= lookOnce(publish).finally(() => {
      looking = undefined
      if (lookAgain) void look(true)
    })
    return looking
  }

  async function lookOnce(publish: boolean): Promise<void> {
    try {
      const rows = await selectEvents(db, known.highest() - overlap)
      const unseen = rows.filter(({ id }) => known.add(id))
      if (!publish || unseen.length === 0) return
      if (rows.length >= maxLookedBack) hub.publish([{ kind: 'missed' }], 'elsewhere')
      else
        hub.publish(
          unseen.flatMap(row => signalOf(row) ?? []),
          'elsewhere',
        )
    } catch (error) {
      log[isUnavailable(error) ? 'debug' : 'error'](
        { err: error },
        'cannot look for events of other processes',
      )
    }
  }

  const begunAt = clock.now()
  let foundOut: (isAlone: boolean) => void = () => {}
  const isAlone = new Promise<boolean>(resolve => {
    foundOut = resolve
    setTimeout(resolve, maxOpenMs, false).unref()
  })

  // Before it listens, as what is told from then on must not count as known.
  await look(false)
  const channel = openChannel(
    databaseUrl,
    'guildhall_signals',
    {
      open(isAlone) {
        foundOut(isAlone)
        isOpen = true
        if (wasLost) hub.publish([{ kind: 'missed' }], 'elsewhere')
        void look(true)
        gathering ??= setTimeout(sendWaiting, 0)
      },
      text(text) {
        if (text.startsWith(name)) return
        const received = readSignals(text)
        if (!received) return
        if (received.signals === 'many') {
          hub.publish([{ kind: 'missed' }], 'elsewhere')
          void look(true)
          return
        }
        const unseen = received.signals.filter(signal => !('id' in signal) || known.add(signal.id))
        if (unseen.length > 0) hub.publish(unseen, 'elsewhere')
      },
      lost(reason) {
        // Told once, however many attempts to connect fail.
        if (isOpen || !wasLost)
          log.warn({ reason }, 'other processes are not heard until the database is back')
        isOpen = false
        wasLost = true
      },
    },
    channelOptions,
  )
  const looks = setInterval(() => void look(true), lookMs).unref()

  return {
    aloneAt: isAlone.then(alone => (alone ? begunAt : undefined)),
    async close() {
      foundOut(false)
      stopListening()
      clearInterval(looks)
      if (isOpen) await settlesWithin(1_000, sendWaiting())
      clearTimeout(gathering)
      await channel.close()
      await looking
    },
  }
}

/** The newest events above this id, lowest first. */
async function selectEvents(db: Db, above: number) {
  const rows = await db
    .selectFrom('events')
    .select(signalColumns)
    .where('id', '>', above)
    .orderBy('id', 'desc')
    .limit(maxLookedBack)
    .execute()
  return rows.reverse()
}

interface KnownIds {
  /** Tells whether it was not known yet. */
  add(id: number): boolean
  highest(): number
}

/** Remembers the last ids that were added, so many at least and twice as many at most. */
function rememberIds(min: number): KnownIds {
  let older = new Set<number>()
  let newer = new Set<number>()
  let highest = 0
  return {
    add(id) {
      if (newer.has(id) || older.has(id)) return false
      if (newer.size >= min) {
        older = newer
        newer = new Set()
      }
      newer.add(id)
      if (id > highest) highest = id
      return true
    },
    highest: () => highest,
  }
}
