import type { LiveMessage } from '@/server/live/schema'
import { connect as connectToServer } from './connection'
import type { Cursor } from './cursors'
import { createElection } from './election'
import { type Broadcast, createLeader, type Leader, type Want } from './leader'
import { watchLeader } from './leader-watch'
import { listenToTabs, type TabMessage } from './tab-channel'

/** The parts of the browser that a tab uses. */
export interface TabHost {
  id: string
  /** The account that the page was rendered for. */
  viewer: string
  /** The cursor at which the page was rendered, from which on it may have missed messages. */
  rendered: Cursor | undefined
  /**
   * The browser's locks. Absent if pages are not served over HTTPS; each visible tab then has its own stream.
   */
  locks: Pick<LockManager, 'request'> | undefined
  channel: Pick<BroadcastChannel, 'postMessage' | 'close' | 'onmessage'> | undefined
  isVisible(): boolean
  connect?: typeof connectToServer
}

/** This tab's part in the group of tabs: it is their leader, or follows the leader. */
export interface Peer {
  join(): void
  hasJoined(): boolean
  /** Sends the leader the topics that this tab follows. */
  announce(): void
  /** Leaves the group, so that another tab can become leader. */
  leave(): void
}

interface PeerOptions {
  host: TabHost
  want(): Want
  /** Returns the cursor of the last message. */
  last(): Cursor | undefined
  /** Returns recent messages, for tabs that join later. */
  recent(): LiveMessage[]
  /** Called when the leader has confirmed that it follows the announced topics. */
  onConfirmed(): void
  onMissed(message: LiveMessage): void
  onBroadcast(broadcast: Broadcast): void
}

export function createPeer({ host, want, last, recent, ...on }: PeerOptions): Peer {
  // Absent for a tab on its own.
  let channel = host.locks && host.channel
  let leader: Leader | undefined
  let hasJoined = false
  const toOthers = (message: TabMessage): void => channel?.postMessage(message)
  const watch = watchLeader(
    () => host.isVisible() && announce(),
    () => !leader && host.isVisible() && election.seize(),
  )

  const election = createElection({
    tab: host.id,
    viewer: host.viewer,
    locks: host.locks,
    onPresent: () => announce(),
    onElected: () => lead(),
    onReplaced() {
      leader?.close()
      leader = undefined
      announce()
    },
    onNoLocks() {
      channel?.close()
      channel = undefined
      lead()
    },
  })

  function announce(): void {
    if (!hasJoined || election.hasLeft()) return
    if (leader) {
      watch.stop()
      leader.want(want())
      on.onConfirmed()
    } else if (election.isPresent()) {
      toOthers({ type: 'want', ...want() })
      watch.expectAnswer()
    }
    // A leader that got the lock of a tab before the tab itself would think that it was closed.
  }

  function lead(): void {
    leader = createLeader({
      viewer: host.viewer,
      last,
      // A tab on its own uses one of the six connections that a browser opens to a site, so it gives it up sooner.
      hiddenMs: channel ? 30_000 : 5_000,
      connect: host.connect ?? connectToServer,
      toAll(broadcast) {
        on.onBroadcast(broadcast)
        toOthers(broadcast)
      },
      met(tab) {
        if (tab === host.id) return
        const messages = recent()
        if (messages.length > 0) toOthers({ type: 'missed', tab, messages })
        election.watch(tab, () => leader?.onTabClosed(tab))
      },
    })
    announce()
    toOthers({ type: 'who' })
  }

  function follow(broadcast: Broadcast): void {
    if (broadcast.type !== 'over') {
      on.onConfirmed()
      if (!leader) watch.heard()
    }
    on.onBroadcast(broadcast)
  }

  return {
    join() {
      hasJoined = true
      if (channel) {
        listenToTabs(channel, host.id, {
          onWant: want => leader?.want(want),
          onClosed: tab => leader?.onTabClosed(tab),
          onWho: announce,
          onMissed: messages => messages.forEach(on.onMissed),
          onBroadcast: follow,
        })
        election.enter()
      } else lead()
    },
    hasJoined: () => hasJoined,
    announce,
    leave() {
      if (election.hasLeft()) return
      leader?.close()
      toOthers({ type: 'closed', tab: host.id })
      watch.stop()
      election.leave()
      channel?.close()
    },
  }
}
