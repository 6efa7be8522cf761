import type { LiveMessage, Topic } from '@/server/live/schema'
import type { Connection, connect } from './connection'

/** Whether tabs are told what happens: `paused` while nobody looks at any, `over` where the viewer may not be told. */
export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'paused' | 'over'

/** What one tab wants to be told of. */
export interface Want {
  tab: string
  topics: readonly Topic[]
  isVisible: boolean
}

/** Holds the one stream of all tabs. */
export interface Leader {
  want(want: Want): void
  gone(tab: string): void
  close(): void
}

export interface LeaderOptions {
  viewer: string
  place: string | undefined
  /** The stream is closed once nobody has looked at any tab for so long. */
  hiddenMs: number
  connect: typeof connect
  toAll: {
    told(message: LiveMessage, place: string): void
    state(state: LiveState): void
    over(viewer: string | null | undefined): void
  }
  /** Asks to be told when a tab is gone without a word. */
  whenGone(tab: string): void
}

// What the server takes. Its schema, which says so, would bring a library along.
export const maxTopics = 30

// A page fetches what it shows, and follows only then: a topic that is new is followed from that long ago.
const beforeMs = 10_000

/** Makes the leader of the tabs. */
export function createLeader({ viewer, place, hiddenMs, connect, toAll, whenGone }: LeaderOptions): Leader {
  const tabs = new Map<string, Want>()
  // By their text: topics that the viewer may not follow.
  const refused = new Set<string>()
  const places = rememberPlaces(place)
  let followed = new Map<string, Topic>()
  let connection: Connection | undefined
  let state: LiveState = 'connecting'
  let hiding: ReturnType<typeof setTimeout> | undefined

  function setState(next: LiveState): void {
    state = next
    toAll.state(next)
  }

  /** Everything that is wanted and may be followed, what is looked at first. */
  function wanted(): Map<string, Topic> {
    const all = [...tabs.values()].sort((a, b) => Number(b.isVisible) - Number(a.isVisible))
    const topics = all.flatMap(tab => tab.topics.map(topic => [JSON.stringify(topic), topic] as const))
    const unique = new Map(topics.filter(([key]) => !refused.has(key)))
    return new Map([...unique].slice(0, maxTopics))
  }

  function settle(): void {
    const now = wanted()
    const isSeen = [...tabs.values()].some(({ isVisible }) => isVisible)
    const isMore = [...now.keys()].some(key => !followed.has(key))
    if (isSeen) clearTimeout(hiding)
    if (now.size === 0) pause()
    else if (isSeen && (!connection || isMore)) open(now, isMore)
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

  function open(topics: Map<string, Topic>, isMore: boolean): void {
    if (!connection) setState('connecting')
    connection?.close()
    followed = topics
    connection = connect(
      { topics: [...topics.values()], viewer, place: isMore ? places.before(beforeMs) : places.last() },
      {
        message(message, at) {
          places.add(at)
          if (message.type === 'ended') refused.add(JSON.stringify(message.topic))
          toAll.told(message, at)
          if (message.type === 'ended') settle()
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
      if (!known) whenGone(want.tab)
      const before = new Set(known?.topics.map(topic => JSON.stringify(topic)))
      // A page that is opened now may have been given the right since.
      for (const topic of want.topics) {
        const key = JSON.stringify(topic)
        if (!before.has(key) && refused.delete(key)) followed.delete(key)
      }
      tabs.set(want.tab, want)
      if (!known) toAll.state(state)
      settle()
    },
    gone(tab) {
      tabs.delete(tab)
      settle()
    },
    close() {
      clearTimeout(hiding)
      connection?.close()
    },
  }
}

interface Places {
  add(place: string): void
  last(): string | undefined
  /** The last place that was given so long ago; the first one known where none was. */
  before(ms: number): string | undefined
}

function rememberPlaces(first: string | undefined): Places {
  let places = first === undefined ? [] : [{ place: first, at: 0 }]
  return {
    add(place) {
      const now = performance.now()
      const old = places.filter(({ at }) => at <= now - beforeMs)
      places = [
        ...old.slice(-1),
        ...places.filter(({ at }) => at > now - beforeMs),
        { place, at: now },
      ].slice(-50)
    },
    last: () => places.at(-1)?.place,
    before(ms) {
      const limit = performance.now() - ms
      return (places.findLast(({ at }) => at <= limit) ?? places[0])?.place
    },
  }
}
