import type { LiveMessage, Topic } from '@/server/live/schema'
import { type Cursor, type Cursors, shownMs } from './cursors'
import { type Gatherer, gather } from './gather'
import { keyOf } from './leader'

/** The topics that the pages of a tab follow, and the messages that reach them. */
export interface Interests {
  /** Calls the listener after messages about the topics, until the returned function is called. */
  add(topics: readonly Topic[], listener: () => void): () => void
  /** Returns the followed topics with the cursor to follow them from, and remembers that the leader was sent them. */
  announced(): { topics: Topic[]; since: Cursor | undefined }
  /** Must be called when the leader has confirmed that it follows the topics announced last. */
  confirmed(): void
  deliver(message: LiveMessage): void
  /**
   * Returns the messages of the last forty seconds, for tabs opened later, whose data may be older than the
   * messages.
   */
  recent(): LiveMessage[]
  /** Must be called when the tab becomes visible. */
  shown(): void
}

interface Interest {
  keys: ReadonlySet<string>
  topics: readonly Topic[]
  gatherer: Gatherer
}

// After the server restarts, all browsers fetch everything again, so each waits a random part of this.
const resyncSpreadMs = 2_000

export function createInterests(cursors: Cursors, isVisible: () => boolean): Interests {
  const interests = new Set<Interest>()
  // The last message about each topic, by the topic's key.
  const received = new Map<string, { message: LiveMessage; at: number }>()
  let announcedKeys: ReadonlySet<string> = new Set()
  // Set while some topic is new to the leader and it has not confirmed.
  let missedSince: Cursor | undefined

  function recentByKey(): Map<string, LiveMessage> {
    const since = Date.now() - shownMs
    for (const [key, { at }] of received) if (at < since) received.delete(key)
    return new Map([...received].map(([key, { message }]) => [key, message]))
  }

  return {
    add(topics, listener) {
      const gatherer = gather(isVisible, listener)
      const interest = { keys: new Set(topics.map(keyOf)), topics, gatherer }
      interests.add(interest)
      for (const [key, message] of recentByKey()) if (interest.keys.has(key)) notify(gatherer, message)
      return () => {
        interests.delete(interest)
        gatherer.stop()
      }
    },
    announced() {
      const topics = new Map(
        [...interests].flatMap(interest => interest.topics.map(topic => [keyOf(topic), topic])),
      )
      if ([...topics.keys()].some(key => !announcedKeys.has(key))) missedSince ??= cursors.before()
      announcedKeys = new Set(topics.keys())
      return { topics: [...topics.values()], since: missedSince ?? cursors.last() }
    },
    confirmed() {
      missedSince = undefined
    },
    deliver(message) {
      const keys = topicsOf(message).map(keyOf)
      for (const key of keys) received.set(key, { message, at: Date.now() })
      for (const { keys: followed, gatherer } of interests)
        if (keys.some(key => followed.has(key))) notify(gatherer, message)
    },
    recent: () => [...new Set(recentByKey().values())],
    shown() {
      for (const { gatherer } of interests) gatherer.shown()
    },
  }
}

const notify = ({ changed }: Gatherer, { type }: LiveMessage): void =>
  changed(type === 'resync' ? resyncSpreadMs : 0)

function topicsOf(message: LiveMessage): Topic[] {
  switch (message.type) {
    case 'changed':
    case 'ended':
      return [message.topic]
    case 'resync':
      return message.topics
    case 'following':
    case 'signedOut':
      return []
  }
}
