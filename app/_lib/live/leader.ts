import type { LiveMessage, Topic } from '@/server/live/schema'
import type { Connection, connect } from './connection'
import type { Cursor } from './cursors'

/** Whether tabs are told what happens: `paused` while nobody looks at any, `over` where the viewer may not be told. */
export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'paused' | 'over'

/** What one tab wants to be told of. */
export interface Want {
  tab: string
  topics: readonly Topic[]
  isVisible: boolean
  /** From where on the tab may have missed something of a topic that it was not told of so far. */
  since: Cursor | undefined
}

/** Holds the one stream of all tabs. */
export interface Leader {
  want(want: Want): void
  onTabClosed(tab: string): void
  close(): void
}

export interface LeaderOptions {
  viewer: string
  /** The last cursor that was told, to this tab or to all. */
  last(): Cursor | undefined
  /** The stream is closed once nobody has looked at any tab for so long. */
  hiddenMs: number
  connect: typeof connect
  toAll: {
    onMessage(message: LiveMessage, cursor: string): void
    state(state: LiveState): void
    over(viewer: string | null | undefined): void
  }
  /** Called when a tab is heard of for the first time. */
  met(tab: string): void
}

/** The text of a topic, by which it is compared. */
export const keyOf = (topic: Topic): string => JSON.stringify(topic)

const keysOf = ({ topics }: Want): string[] => topics.map(keyOf)

// What the server takes. Its schema, which says so, would bring a library along.
export const maxTopics = 30

// Within so long all tabs tell a new leader what they want, and a tab goes from one page to the next.
const gatherMs = 50

/** Makes the leader of the tabs. */
export function createLeader({ viewer, last, hiddenMs, connect, toAll, met }: LeaderOptions): Leader {
  const tabs = new Map<string, Want>()
  // By their text: topics that the viewer may not follow.
  const refused = new Set<string>()
  let followed = new Map<string, Topic>()
  let connection: Connection | undefined
  let state: LiveState = 'connecting'
  let gathering: ReturnType<typeof setTimeout> | undefined
  let hiding: ReturnType<typeof setTimeout> | undefined

  function setState(next: LiveState): void {
    state = next
    toAll.state(next)
  }

  /** Everything that is wanted and may be followed, what is looked at first. */
  function wanted(): Map<string, Topic> {
    const all = [...tabs.values()].sort((a, b) => Number(b.isVisible) - Number(a.isVisible))
    const topics = all.flatMap(tab => tab.topics.map(topic => [keyOf(topic), topic] as const))
    const unique = new Map(topics.filter(([key]) => !refused.has(key)))
    return new Map([...unique].slice(0, maxTopics))
  }

  /** Whether a tab is not told of something that it wants and may follow. */
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
    const known = [last(), ...added.map(tab => tab.since)].filter(cursor => cursor !== undefined)
    const [from] = known.sort((a, b) => a.at - b.at)
    if (!connection) setState('connecting')
    connection?.close()
    followed = topics
    connection = connect(
      { topics: [...topics.values()], viewer, cursor: from?.cursor },
      {
        message(message, at) {
          if (message.type === 'ended') refused.add(keyOf(message.topic))
          toAll.onMessage(message, at)
          if (message.type === 'ended') settleSoon()
        },
        state: setState,
        over(now) {
          connection = undefined
          setState('over')
          toAll.over(now)
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
      // A page that is opened now may have been given the right since.
      for (const key of keysOf(want)) if (!before.has(key) && refused.delete(key)) followed.delete(key)
      tabs.set(want.tab, { ...want, since })
      // The answer, by which a tab knows that somebody leads.
      toAll.state(state)
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
