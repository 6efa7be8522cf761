import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type LiveMessage, maxTopics as readByServer, type Topic } from '@/server/live/schema'
import type { ConnectionListener } from './connection'
import { type Cursor, rememberCursors } from './cursors'
import { createLeader, maxTopics } from './leader'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const organization = (id: number): Topic => ({ topic: 'organization', id })
const account: Topic = { topic: 'account' }

interface Opened extends ConnectionListener {
  topics: Topic[]
  cursor: string | undefined
  isClosed: boolean
}

function startLeader() {
  const opened: Opened[] = []
  const received: [LiveMessage, string][] = []
  const states: string[] = []
  const watched: string[] = []
  const cursors = rememberCursors({ cursor: 'rendered', at: Date.now() })
  const leader = createLeader({
    viewer: '7',
    last: cursors.last,
    hiddenMs: 30_000,
    connect({ topics, cursor }, listener) {
      const connection: Opened = { ...listener, topics, cursor, isClosed: false }
      opened.push(connection)
      return {
        close() {
          connection.isClosed = true
        },
      }
    },
    toAll(broadcast) {
      if (broadcast.type === 'state') states.push(broadcast.state)
      if (broadcast.type === 'over') states.push(`over ${broadcast.viewer}`)
      if (broadcast.type !== 'message') return
      cursors.add(broadcast.cursor)
      received.push([broadcast.message, broadcast.cursor])
    },
    met: tab => watched.push(tab),
  })
  const want = (tab: string, topics: Topic[], isVisible: boolean, since?: Cursor) => {
    leader.want({ tab, topics, isVisible, since: since ?? cursors.before() })
    vi.advanceTimersByTime(50)
  }
  const show = (tab: string, ...topics: Topic[]) => want(tab, topics, true)
  const hide = (tab: string, ...topics: Topic[]) => want(tab, topics, false)
  const now = () => opened.filter(({ isClosed }) => !isClosed)
  return { leader, opened, received, states, watched, want, show, hide, now }
}

describe('the leader tab', () => {
  it('has one stream with the topics of all tabs, and sends its messages to all of them', () => {
    const { show, now, received, states, watched } = startLeader()
    show('a', organization(1), account)
    show('b', organization(2), organization(1))
    expect(now().map(({ topics }) => topics)).toEqual([[organization(1), account, organization(2)]])
    now()[0]!.state('live')
    const message: LiveMessage = { type: 'changed', topic: account }
    now()[0]!.message(message, 'p1')
    expect([received, states.at(-1), watched]).toEqual([[[message, 'p1']], 'live', ['a', 'b']])
  })

  it('keeps the stream if a tab follows fewer topics, and closes it if no tab follows any', () => {
    const { leader, show, opened, now, states } = startLeader()
    show('a', organization(1))
    show('b', organization(2))
    const before = opened.length
    leader.onTabClosed('a')
    show('b')
    expect([opened.length, now(), states.at(-1)]).toEqual([before, [], 'paused'])
  })

  it('closes the stream once no tab has been visible for a while, and later continues from its last message', () => {
    const { show, hide, now, states } = startLeader()
    show('a', organization(1))
    now()[0]!.message({ type: 'following' }, 'p1')
    hide('a', organization(1))
    vi.advanceTimersByTime(29_000)
    hide('b')
    expect(now()).toHaveLength(1)
    vi.advanceTimersByTime(1_001)
    expect([now(), states.at(-1)]).toEqual([[], 'paused'])
    show('a', organization(1))
    expect(now().map(({ cursor }) => cursor)).toEqual(['p1'])
  })

  it('keeps the stream if its tab is hidden for a moment', () => {
    const { show, hide, opened, now } = startLeader()
    show('a', organization(1))
    hide('a', organization(1))
    vi.advanceTimersByTime(20_000)
    show('a', organization(1))
    vi.advanceTimersByTime(60_000)
    expect([opened.length, now().length]).toEqual([1, 1])
  })

  it('follows new topics from a cursor older than any data that a page can show without fetching it', () => {
    const { show, now } = startLeader()
    show('a', organization(1))
    expect(now()[0]!.cursor).toBe('rendered')
    vi.advanceTimersByTime(5_000)
    now()[0]!.message({ type: 'following' }, 'p1')
    vi.advanceTimersByTime(41_000)
    now()[0]!.message({ type: 'following' }, 'p2')
    show('b', organization(2))
    expect(now().map(({ cursor }) => cursor)).toEqual(['p1'])
  })

  it('starts at the cursor of another tab’s page if that is earlier than its own', () => {
    const { want, show, now } = startLeader()
    show('a', organization(1))
    want('b', [organization(2)], true, { cursor: 'rendered before', at: Date.now() - 3_000 })
    expect(now().map(({ cursor }) => cursor)).toEqual(['rendered before'])
    want('c', [organization(3)], true, { cursor: 'rendered after', at: Date.now() })
    expect(now().map(({ cursor }) => cursor)).toEqual(['rendered'])
  })

  it('follows topics that were over the limit from the cursor at which they were requested', () => {
    const { leader, want, hide, show, now } = startLeader()
    show('a', ...Array.from({ length: maxTopics }, (_, id) => organization(id + 1)))
    want('b', [account], false, { cursor: 'waits', at: Date.now() })
    vi.advanceTimersByTime(100_000)
    now()[0]!.message({ type: 'following' }, 'p1')
    vi.advanceTimersByTime(100_000)
    hide('b', account)
    leader.onTabClosed('a')
    show('b', account)
    expect(now().map(({ topics, cursor }) => [topics, cursor])).toEqual([[[account], 'waits']])
  })

  it('opens one stream for all tabs that send their topics at the same time', () => {
    const { leader, opened } = startLeader()
    for (let tab = 1; tab <= 25; tab++)
      leader.want({ tab: `${tab}`, topics: [organization(tab)], isVisible: true, since: undefined })
    vi.advanceTimersByTime(1_000)
    expect(opened.map(({ topics }) => topics.length)).toEqual([25])
  })

  it('does not follow refused topics again until a newly opened page wants them', () => {
    const { show, now } = startLeader()
    show('a', organization(1), organization(2))
    now()[0]!.message({ type: 'ended', topic: organization(1) }, 'p1')
    show('b', account)
    expect(now().map(({ topics }) => topics)).toEqual([[organization(2), account]])
    show('b', account, organization(1))
    expect(now().map(({ topics }) => topics)).toEqual([[organization(1), organization(2), account]])
  })

  it('stops if the viewer has changed, and tries again when a tab is visible', () => {
    const { show, hide, opened, states } = startLeader()
    show('a', account)
    opened[0]!.over('ben')
    hide('a', account)
    expect([opened.length, states.slice(-3)]).toEqual([1, ['over', 'over ben', 'over']])
    show('a', account)
    expect(opened).toHaveLength(2)
  })

  it('follows at most as many topics as the server accepts, those of visible tabs first', () => {
    const { show, hide, now } = startLeader()
    hide('a', ...Array.from({ length: 100 }, (_, id) => organization(id + 1)))
    show('b', account)
    expect(now()[0]!.topics).toHaveLength(readByServer)
    expect(now()[0]!.topics[0]).toEqual(account)
    expect(maxTopics).toBe(readByServer)
  })
})
