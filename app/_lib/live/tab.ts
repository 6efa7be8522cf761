import type { LiveMessage, Topic } from '@/server/live/schema'
import { connect as connectToServer } from './connection'
import { createLeader, type Leader, type LiveState } from './leader'

/** What a tab tells all others of the same viewer. */
export type TabMessage =
  | { type: 'want'; tab: string; topics: Topic[]; isVisible: boolean }
  | { type: 'gone'; tab: string }
  /** A new leader asks what everybody wants. */
  | { type: 'who' }
  | { type: 'told'; message: LiveMessage; place: string }
  | { type: 'state'; state: LiveState }
  | { type: 'over'; viewer: string | null | undefined }

/** What the browser gives. */
export interface TabHost {
  id: string
  /** For whom the page was rendered, and the place from which it may have missed something. */
  viewer: string
  place: string | undefined
  /** Absent where pages are not served over https: each tab then has a stream of its own while it is looked at. */
  locks: Pick<LockManager, 'request'> | undefined
  channel: Pick<BroadcastChannel, 'postMessage' | 'close' | 'onmessage'> | undefined
  isVisible(): boolean
  connect?: typeof connectToServer
}

export interface TabListener {
  state(state: LiveState): void
  /** See `ConnectionListener.over`. */
  over(viewer: string | null | undefined): void
}

export interface Tab {
  /** Calls `listener` with what is told of these topics, until the function returned is called. */
  follow(topics: readonly Topic[], listener: (message: LiveMessage) => void): () => void
  /** To be called when the tab is shown or hidden. */
  visibilityChanged(): void
  /** Lets another tab lead. */
  leave(): void
}

interface Interest {
  /** The topics by their text. */
  keys: ReadonlySet<string>
  topics: readonly Topic[]
  listener(message: LiveMessage): void
}

const keyOf = (topic: Topic): string => JSON.stringify(topic)

/**
 * Joins the tabs of this browser in which the same person is signed in. One of them, which holds a lock, has the stream for all; when it is
 * closed, the next one goes on where it was.
 */
export function joinTabs(host: TabHost, listener: TabListener): Tab {
  const interests = new Set<Interest>()
  const { locks } = host
  const channel = locks && host.channel
  const leaving = new AbortController()
  let leader: Leader | undefined
  let place = host.place
  let hasJoined = false
  const hasLeft = () => leaving.signal.aborted

  const toOthers = (message: TabMessage): void => channel?.postMessage(message)

  function announce(): void {
    if (!hasJoined || hasLeft()) return
    const topics = new Map(
      [...interests].flatMap(interest => interest.topics.map(topic => [keyOf(topic), topic])),
    )
    const wanted = { tab: host.id, topics: [...topics.values()], isVisible: host.isVisible() }
    if (leader) leader.want(wanted)
    else toOthers({ type: 'want', ...wanted })
  }

  function deliver(message: LiveMessage, at: string): void {
    place = at
    const about = aboutOf(message)
    for (const interest of interests) {
      if (about.some(topic => interest.keys.has(keyOf(topic)))) interest.listener(message)
    }
  }

  function lead(): void {
    leader = createLeader({
      viewer: host.viewer,
      place,
      // Alone it may take one of the six connections that a browser has to a site: not for a tab nobody looks at.
      hiddenMs: locks ? 30_000 : 5_000,
      connect: host.connect ?? connectToServer,
      toAll: {
        told(message, at) {
          deliver(message, at)
          toOthers({ type: 'told', message, place: at })
        },
        state(state) {
          listener.state(state)
          toOthers({ type: 'state', state })
        },
        over(viewer) {
          listener.over(viewer)
          toOthers({ type: 'over', viewer })
        },
      },
      whenGone(tab) {
        if (tab === host.id) return
        locks?.request(lockOf(tab), { signal: leaving.signal }, () => leader?.gone(tab)).catch(ignore)
      },
    })
    announce()
    toOthers({ type: 'who' })
  }

  function receive(message: TabMessage): void {
    switch (message.type) {
      case 'want':
        leader?.want(message)
        return
      case 'gone':
        leader?.gone(message.tab)
        return
      case 'who':
        announce()
        return
      case 'told':
        deliver(message.message, message.place)
        return
      case 'state':
        listener.state(message.state)
        return
      case 'over':
        listener.over(message.viewer)
    }
  }

  const lockOf = (tab: string): string => `guildhall-live-tab ${tab}`

  function join(): void {
    hasJoined = true
    if (!locks || !channel) {
      lead()
      return
    }
    channel.onmessage = ({ data }: MessageEvent<TabMessage>) => receive(data)
    const untilLeaving = (): Promise<void> =>
      new Promise(resolve => leaving.signal.addEventListener('abort', () => resolve()))
    const { signal } = leaving
    // Held for as long as the tab lives: who gets it knows that the tab is gone, however it went.
    locks.request(lockOf(host.id), { signal }, untilLeaving).catch(ignore)
    const leading = (): Promise<void> => {
      lead()
      return untilLeaving()
    }
    locks.request(`guildhall-live ${host.viewer}`, { signal }, leading).catch(() => {
      // A browser that gives no locks here.
      if (!hasLeft() && !leader) lead()
    })
    announce()
  }

  return {
    follow(topics, told) {
      const interest = { keys: new Set(topics.map(keyOf)), topics, listener: told }
      interests.add(interest)
      if (hasJoined) announce()
      else join()
      return () => {
        interests.delete(interest)
        announce()
      }
    },
    visibilityChanged: announce,
    leave() {
      if (hasLeft()) return
      leader?.close()
      toOthers({ type: 'gone', tab: host.id })
      leaving.abort()
      channel?.close()
    },
  }
}

const ignore = (): void => undefined

/** The topics that a message is about. */
function aboutOf(message: LiveMessage): Topic[] {
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
