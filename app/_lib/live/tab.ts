import type { LiveMessage, Topic } from '@/server/live/schema'
import { connect as connectToServer } from './connection'
import { type Cursor, rememberCursors, shownMs } from './cursors'
import { type Gatherer, gather } from './gather'
import { createLeader, keyOf, type Leader, type LiveState, type Want } from './leader'

/** What a tab tells all others of the same viewer. */
export type TabMessage =
  | ({ type: 'want' } & Want)
  | { type: 'closed'; tab: string }
  /** A new leader asks what everybody wants. */
  | { type: 'who' }
  | { type: 'message'; message: LiveMessage; cursor: string }
  /** What was told before a tab came, as what it shows may be older. */
  | { type: 'missed'; tab: string; messages: LiveMessage[] }
  | { type: 'state'; state: LiveState }
  | { type: 'over'; viewer: string | null | undefined }

/** What the browser gives. */
export interface TabHost {
  id: string
  /** For whom the page was rendered, and the cursor from which it may have missed something. */
  viewer: string
  rendered: Cursor | undefined
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
  /** Calls `listener` when something happened to these topics, while the tab is looked at; until the function returned is called. */
  follow(topics: readonly Topic[], listener: () => void): () => void
  /** To be called when the tab is shown or hidden. */
  visibilityChanged(): void
  /** Lets another tab lead. */
  leave(): void
}

interface Interest {
  /** The topics by their text. */
  keys: ReadonlySet<string>
  topics: readonly Topic[]
  gatherer: Gatherer
}

// After a restart of the server everybody is to fetch everything.
const resyncSpreadMs = 2_000

// A leader tells something each minute. One that is suspended, and keeps its lock, answers nothing.
const quietMs = 70_000
const answerMs = 2_000

/**
 * Joins the tabs of this browser in which the same person is signed in. One of them, which holds a lock, has the stream for all; when it is
 * closed, the next one goes on where it was.
 */
export function joinTabs(host: TabHost, listener: TabListener): Tab {
  const interests = new Set<Interest>()
  const cursors = rememberCursors(host.rendered)
  // By the text of their topics: the last messages, for a page that is opened later and shows what was fetched before.
  const heard = new Map<string, { message: LiveMessage; at: number }>()
  const { locks } = host
  // Absent for a tab that is alone.
  let channel = locks && host.channel
  const leaving = new AbortController()
  let leader: Leader | undefined
  let candidacy = new AbortController()
  // By their text: what was wanted last, and where some of it is new to a leader that has not answered yet.
  let announced: ReadonlyMap<string, Topic> = new Map()
  let missedSince: Cursor | undefined
  let answer: ReturnType<typeof setTimeout> | undefined
  let quiet: ReturnType<typeof setTimeout> | undefined
  let hasJoined = false
  let isHeld = false
  const hasLeft = () => leaving.signal.aborted

  const toOthers = (message: TabMessage): void => channel?.postMessage(message)

  function announce(): void {
    if (!hasJoined || hasLeft()) return
    // A leader that got this tab's lock before it does would take it for gone.
    if (!leader && !isHeld) return
    const topics = new Map(
      [...interests].flatMap(interest => interest.topics.map(topic => [keyOf(topic), topic])),
    )
    if ([...topics.keys()].some(key => !announced.has(key))) missedSince ??= cursors.before()
    announced = topics
    const wanted = {
      tab: host.id,
      topics: [...topics.values()],
      isVisible: host.isVisible(),
      since: missedSince ?? cursors.last(),
    }
    if (leader) {
      leader.want(wanted)
      hearLeader()
    } else {
      toOthers({ type: 'want', ...wanted })
      answer ??= setTimeout(takeLead, answerMs)
    }
  }

  /** Notes that somebody leads. */
  function hearLeader(): void {
    missedSince = undefined
    clearTimeout(answer)
    answer = undefined
    clearTimeout(quiet)
    quiet = leader || hasLeft() ? undefined : setTimeout(() => host.isVisible() && announce(), quietMs)
  }

  function takeLead(): void {
    answer = undefined
    if (!leader && !hasLeft() && host.isVisible()) standForLead(true)
  }

  function deliver(message: LiveMessage): void {
    const keys = aboutOf(message).map(keyOf)
    for (const key of keys) heard.set(key, { message, at: Date.now() })
    for (const { keys: followed, gatherer } of interests)
      if (keys.some(key => followed.has(key))) notify(gatherer, message)
  }

  const notify = ({ changed }: Gatherer, { type }: LiveMessage): void =>
    changed(type === 'resync' ? resyncSpreadMs : 0)

  function heardLately(): Map<string, LiveMessage> {
    const since = Date.now() - shownMs
    for (const [key, { at }] of heard) if (at < since) heard.delete(key)
    return new Map([...heard].map(([key, { message }]) => [key, message]))
  }

  function lead(): void {
    leader = createLeader({
      viewer: host.viewer,
      last: cursors.last,
      // Alone it may take one of the six connections that a browser has to a site: not for a tab nobody looks at.
      hiddenMs: channel ? 30_000 : 5_000,
      connect: host.connect ?? connectToServer,
      toAll: {
        onMessage(message, cursor) {
          cursors.add(cursor)
          deliver(message)
          toOthers({ type: 'message', message, cursor })
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
      met(tab) {
        if (tab === host.id) return
        const messages = [...new Set(heardLately().values())]
        if (messages.length > 0) toOthers({ type: 'missed', tab, messages })
        locks?.request(lockOf(tab), { signal: leaving.signal }, () => leader?.onTabClosed(tab)).catch(ignore)
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
      case 'closed':
        leader?.onTabClosed(message.tab)
        return
      case 'who':
        announce()
        return
      case 'message':
        hearLeader()
        cursors.add(message.cursor)
        deliver(message.message)
        return
      case 'missed':
        if (message.tab === host.id) message.messages.forEach(deliver)
        return
      case 'state':
        hearLeader()
        listener.state(message.state)
        return
      case 'over':
        listener.over(message.viewer)
    }
  }

  const lockOf = (tab: string): string => `guildhall-live-tab ${tab}`

  const untilLeaving = (): Promise<void> =>
    new Promise(resolve => leaving.signal.addEventListener('abort', () => resolve()))

  /** Leads once no other tab does, or instead of the one that does. */
  function standForLead(steals: boolean): void {
    candidacy.abort()
    candidacy = new AbortController()
    const { signal } = candidacy
    const leading = async (): Promise<void> => {
      if (signal.aborted) return
      lead()
      await untilLeaving()
    }
    locks
      ?.request(`guildhall-live ${host.viewer}`, steals ? { steal: true } : { signal }, leading)
      .catch(() => {
        if (signal.aborted || hasLeft()) return
        if (!leader) {
          // A browser that gives no locks here.
          channel?.close()
          channel = undefined
          return lead()
        }
        // Another tab has taken the lead.
        leader.close()
        leader = undefined
        standForLead(false)
        announce()
      })
  }

  function join(): void {
    hasJoined = true
    if (!locks || !channel) {
      lead()
      return
    }
    channel.onmessage = ({ data }: MessageEvent<TabMessage>) => receive(data)
    // Held for as long as the tab lives: who gets it knows that the tab is gone, however it went.
    const hold = (): Promise<void> => {
      isHeld = true
      announce()
      return untilLeaving()
    }
    locks.request(lockOf(host.id), { signal: leaving.signal }, hold).catch(ignore)
    standForLead(false)
  }

  return {
    follow(topics, listener) {
      const gatherer = gather(host.isVisible, listener)
      const interest = { keys: new Set(topics.map(keyOf)), topics, gatherer }
      interests.add(interest)
      for (const [key, message] of heardLately()) if (interest.keys.has(key)) notify(gatherer, message)
      if (hasJoined) announce()
      else join()
      return () => {
        interests.delete(interest)
        gatherer.stop()
        announce()
      }
    },
    visibilityChanged() {
      announce()
      if (host.isVisible()) for (const { gatherer } of interests) gatherer.shown()
    },
    leave() {
      if (hasLeft()) return
      leader?.close()
      toOthers({ type: 'closed', tab: host.id })
      clearTimeout(answer)
      clearTimeout(quiet)
      candidacy.abort()
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
