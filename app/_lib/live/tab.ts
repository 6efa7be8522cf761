import type { Topic } from '@/server/live/schema'
import { rememberCursors } from './cursors'
import { createInterests } from './interests'
import type { LiveState } from './leader'
import { createPeer, type TabHost } from './peer'

/** Callbacks of a tab about the stream. */
export interface TabListener {
  state(state: LiveState): void
  /** See `ConnectionListener.over`. */
  over(viewer: string | null | undefined): void
}

/** A tab of the browser that is connected with the others. */
export interface Tab {
  /** Calls the listener after changes of the topics while the tab is visible, until the returned function is called. */
  follow(topics: readonly Topic[], listener: () => void): () => void
  /** Must be called when the tab is shown or hidden. */
  visibilityChanged(): void
  /** Leaves the other tabs, so that another tab can become leader. */
  leave(): void
}

/**
 * Connects the tabs of this browser in which the same person is signed in. One of them, the leader, has the stream for all.
 * When it is closed, the next one continues from its last message.
 */
export function joinTabs(host: TabHost, listener: TabListener): Tab {
  const cursors = rememberCursors(host.rendered)
  const interests = createInterests(cursors, host.isVisible)
  const peer = createPeer({
    host,
    want: () => ({ tab: host.id, isVisible: host.isVisible(), ...interests.announced() }),
    last: cursors.last,
    recent: interests.recent,
    onConfirmed: interests.confirmed,
    onMissed: interests.deliver,
    onBroadcast(broadcast) {
      if (broadcast.type === 'state') listener.state(broadcast.state)
      else if (broadcast.type === 'over') listener.over(broadcast.viewer)
      else {
        cursors.add(broadcast.cursor)
        interests.deliver(broadcast.message)
      }
    },
  })
  return {
    follow(topics, onChange) {
      const remove = interests.add(topics, onChange)
      if (peer.hasJoined()) peer.announce()
      else peer.join()
      return () => {
        remove()
        peer.announce()
      }
    },
    visibilityChanged() {
      peer.announce()
      if (host.isVisible()) interests.shown()
    },
    leave: peer.leave,
  }
}
