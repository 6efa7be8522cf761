import type { LiveMessage, Topic } from '@/server/live/schema'
import type { Connection, connect } from './connection'
import type { Cursor } from './cursors'

/** State of the stream: `paused` while no tab is visible, `over` if the viewer can no longer follow. */
export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'paused' | 'over'

/** A message of the leader to every tab. */
export type Broadcast =
  | { type: 'message'; message: LiveMessage; cursor: string }
  | { type: 'state'; state: LiveState }
  | { type: 'over'; viewer: string | null | undefined }

/** The topics that one tab follows. */
export interface Want {
  tab: string
  topics: readonly Topic[]
  isVisible: boolean
  /** The cursor from which on the tab may have missed messages about a topic that is new to it. */
  since: Cursor | undefined
}

/** Manages the stream that all tabs share. */
export interface Leader {
  want(want: Want): void
  onTabClosed(tab: string): void
  close(): void
}

export interface LeaderOptions {
  viewer: string
  /** Returns the cursor of the last message. */
  last(): Cursor | undefined
  /** The stream is closed once no tab has been visible for so many milliseconds. */
  hiddenMs: number
  connect: typeof connect
  /** Sends a message to every tab, including this one. */
  toAll(broadcast: Broadcast): void
  /** Called for the first message of a tab. */
  met(tab: string): void
}

/** Returns the key of a topic, by which topics are compared. */
export const keyOf = (topic: Topic): string => JSON.stringify(topic)

const keysOf = ({ topics }: Want): string[] => topics.map(keyOf)

// The server's limit. Importing it from the schema would also load zod.
export const maxTopics = 30

// Enough for all tabs to send a new leader their topics, and for a tab to open its next page.
const gatherMs = 50

/** Creates the leader, which opens a stream for the topics of all tabs. */
export function createLeader({ viewer, last, hiddenMs, connect, toAll, met }: LeaderOptions): Leader {
  const tabs = new Map<string, Want>()
  // Keys of topics that the viewer cannot follow.
  const refused = new Set<string>()
  let followed = new Map<string, Topic>()
  let connection: Connection | undefined
  let state: LiveState = 'connecting'
  let gathering: ReturnType<typeof setTimeout> | undefined
  let hiding: ReturnType<typeof setTimeout> | undefined

  function setState(next: LiveState): void {
    state = next
    toAll({ type: 'state', state: next })
  }

  /** Returns the topics that tabs want and the viewer can follow, those of visible tabs first. */
  function wanted(): Map<string, Topic> {
    const all = [...tabs.values()].sort((a, b) => Number(b.isVisible) - Number(a.isVisible))
    const topics = all.flatMap(tab => tab.topics.map(topic => [keyOf(topic), topic] as const))
    const unique = new Map(topics.filter(([key]) => !refused.has(key)))
    return new Map([...unique].slice(0, maxTopics))
  }

  /** Whether the stream lacks a topic that the tab wants and the viewer can follow. */
  const isWaiting = (tab: Want): boolean => keysOf(tab).some(key => !refused.has(key) && !followed.has(key))

  function settleSoon(): void {
    gathering ??= setTimeout(settle, gatherMs)
  }

  function settle(): void {
    gathering = undefined
    const now = wanted()
    const isSeen = [...tabs.values()].some(({ isVisible }) => isVisible)
    const isMore = [...now.keys()].some(key => !followed.has(key))
    if (isSeen) clearTimeout(hiding)
    if (now.size === 0) pause()
    else if (isSeen && (!connection || isMore)) open(now)
    else if (!isSeen && connection) hiding ??= setTimeout(pause, hiddenMs)
    if (isSeen) hiding = undefined
  }

  function pause(): void {
    clearTimeout(hiding)
    hiding = undefined
    connection?.close()
    connection = undefined
    if (state !== 'paused') setState('paused')
  }

  function open(topics: Map<string, Topic>): void {
    const added = [...tabs.values()].filter(tab =>
      keysOf(tab).some(key => topics.has(key) && !followed.has(key)),
    )
    const from = earliest([last(), ...added.map(tab => tab.since)])
    if (!connection) setState('connecting')
    connection?.close()
    followed = topics
    connection = connect(
      { topics: [...topics.values()], viewer, cursor: from?.cursor },
      {
        message(message, at) {
          if (message.type === 'ended') refused.add(keyOf(message.topic))
          toAll({ type: 'message', message, cursor: at })
          if (message.type === 'ended') settleSoon()
        },
        state: setState,
        over(now) {
          connection = undefined
          setState('over')
          toAll({ type: 'over', viewer: now })
        },
      },
    )
  }

  return {
    want(want) {
      const known = tabs.get(want.tab)
      if (!known) met(want.tab)
      const since = known && isWaiting(known) ? known.since : want.since
      const before = new Set(known && keysOf(known))
      // The viewer may have been granted access before this page was opened.
      for (const key of keysOf(want)) if (!before.has(key) && refused.delete(key)) followed.delete(key)
      tabs.set(want.tab, { ...want, since })
      // This message is the answer from which the tab learns that there is a leader.
      toAll({ type: 'state', state })
      settleSoon()
    },
    onTabClosed(tab) {
      tabs.delete(tab)
      settleSoon()
    },
    close() {
      clearTimeout(gathering)
      clearTimeout(hiding)
      connection?.close()
    },
  }
}

const earliest = (cursors: (Cursor | undefined)[]): Cursor | undefined =>
  cursors.filter(cursor => cursor !== undefined).sort((a, b) => a.at - b.at)[0]
