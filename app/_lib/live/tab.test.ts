import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LiveMessage, Topic } from '@/server/live/schema'
import type { ConnectionListener } from './connection'
import type { LiveState } from './leader'
import type { TabHost } from './peer'
import { joinTabs } from './tab'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const organization = (id: number): Topic => ({ topic: 'organization', id })
const changed = (topic: Topic): LiveMessage => ({ type: 'changed', topic })
const soon = () => vi.advanceTimersByTimeAsync(100)

interface Held {
  run(): Promise<unknown>
  reject(error: Error): void
}

/** Mock of the Web Locks of one browser. */
function makeLocks() {
  const queues = new Map<string, Held[]>()
  const grant = (name: string, held: Held | undefined): void => {
    void held?.run().finally(() => {
      const queue = queues.get(name) ?? []
      if (queue[0] === held) grant(name, queue.slice(1)[0])
      queues.set(
        name,
        queue.filter(other => other !== held),
      )
    })
  }
  const request = (name: string, options: LockOptions, callback: () => unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const queue = queues.get(name) ?? []
      const held = { run: async () => resolve(await callback()), reject }
      if (options.steal) queue.shift()?.reject(new Error('stolen'))
      queues.set(name, options.steal ? [held, ...queue] : [...queue, held])
      if (options.steal || queue.length === 0) grant(name, held)
      options.signal?.addEventListener('abort', () => {
        const waiting = queues.get(name) ?? []
        if (waiting.indexOf(held) < 1) return
        waiting.splice(waiting.indexOf(held), 1)
        reject(new Error('aborted'))
      })
    })
  return { request } as Pick<LockManager, 'request'>
}

interface Opened extends ConnectionListener {
  by: string
  topics: Topic[]
  cursor: string | undefined
}

function startBrowser({ locks }: Pick<TabHost, 'locks'> = { locks: makeLocks() }) {
  const streams: Opened[] = []
  const channels = new Map<string, TabHost['channel'] & object>()
  const suspended = new Set<string>()

  function openTab(id: string, cursor = `${id} rendered`) {
    const states: LiveState[] = []
    let isVisible = true
    const channel: TabHost['channel'] = {
      onmessage: null,
      close: () => channels.delete(id),
      postMessage(data: unknown) {
        if (suspended.has(id)) return
        for (const [other, there] of channels) {
          const event = { data: structuredClone(data) } as MessageEvent
          if (other === id || suspended.has(other)) continue
          setTimeout(() => channels.has(other) && there.onmessage?.call(undefined as never, event))
        }
      },
    }
    channels.set(id, channel)
    const tab = joinTabs(
      {
        id,
        viewer: '7',
        rendered: { cursor, at: Date.now() },
        locks,
        channel,
        isVisible: () => isVisible,
        connect({ topics, cursor }, listener) {
          const stream = { ...listener, by: id, topics, cursor }
          streams.push(stream)
          return { close: () => void streams.splice(streams.indexOf(stream), 1) }
        },
      },
      { state: state => states.push(state), over: viewer => states.push(`over ${viewer}` as LiveState) },
    )
    const open = (...topics: Topic[]) => {
      const page = vi.fn()
      return Object.assign(page, { leave: tab.follow(topics, page) })
    }
    const show = (visible: boolean): void => {
      isVisible = visible
      tab.visibilityChanged()
    }
    return { ...tab, states, open, show }
  }
  return { streams, openTab, suspended }
}

describe('the tabs of a browser', () => {
  it('all get their topics followed, even if the browser grants one of them its own lock late', async () => {
    const locks = makeLocks()
    const { streams, openTab } = startBrowser({
      locks: {
        request: async (name: string, ...rest: [LockOptions, () => unknown]) => {
          const isOwn = name === 'guildhall-live-tab b' && !isAsked
          isAsked ||= isOwn
          await new Promise(resolve => setTimeout(resolve, isOwn ? 50 : 5))
          return await (locks.request as (...all: unknown[]) => Promise<unknown>)(name, ...rest)
        },
      } as Pick<LockManager, 'request'>,
    })
    let isAsked = false
    openTab('a').open(organization(1))
    await soon()
    openTab('b').open(organization(2))
    await soon()
    await soon()
    expect(streams.map(({ topics }) => topics)).toEqual([[organization(1), organization(2)]])
  })

  it('share one stream, and each page receives messages about its own topics', async () => {
    const { streams, openTab } = startBrowser()
    const [a, b] = [openTab('a'), openTab('b')]
    const [ofA, ofB] = [a.open(organization(1)), b.open(organization(2))]
    await soon()
    expect(streams.map(({ by, topics }) => [by, topics])).toEqual([['a', [organization(1), organization(2)]]])
    streams[0]!.state('live')
    streams[0]!.message(changed(organization(2)), 'p1')
    await soon()
    expect([ofA.mock.calls.length, ofB.mock.calls.length, b.states.at(-1)]).toEqual([0, 1, 'live'])
    streams[0]!.message({ type: 'ended', topic: organization(1) }, 'p2')
    await soon()
    expect([ofA.mock.calls.length, ofB.mock.calls.length]).toEqual([1, 1])
    streams[0]!.over('ben')
    await soon()
    expect([a.states.slice(-2), b.states.slice(-2)]).toEqual([
      ['over', 'over ben'],
      ['over', 'over ben'],
    ])
  })

  it('continue from the last message with the remaining topics after the leader is closed', async () => {
    const { streams, openTab } = startBrowser()
    const [a, b, c] = [openTab('a'), openTab('b'), openTab('c')]
    a.open(organization(1))
    b.open(organization(2))
    c.open(organization(3))
    await soon()
    streams[0]!.message({ type: 'following' }, 'p1')
    await soon()
    a.leave()
    await soon()
    expect(streams).toEqual([
      expect.objectContaining({ by: 'b', topics: [organization(2), organization(3)], cursor: 'p1' }),
    ])
    await vi.advanceTimersByTimeAsync(60_000)
    streams[0]!.message({ type: 'following' }, 'p2')
    await soon()
    b.leave()
    await soon()
    expect(streams).toEqual([expect.objectContaining({ by: 'c', topics: [organization(3)], cursor: 'p2' })])
  })

  it('elect a new leader if the leader is suspended, which is a follower after it wakes', async () => {
    const { streams, openTab, suspended } = startBrowser()
    const [a, b] = [openTab('a'), openTab('b')]
    a.open(organization(1))
    const page = b.open(organization(1))
    await soon()
    a.show(false)
    suspended.add('a')
    await vi.advanceTimersByTimeAsync(75_000)
    expect(streams.map(({ by }) => by)).toEqual(['b'])
    suspended.delete('a')
    a.show(true)
    await vi.advanceTimersByTimeAsync(75_000)
    expect(streams.map(({ by }) => by)).toEqual(['b'])
    streams[0]!.message(changed(organization(1)), 'p1')
    await soon()
    expect(page).toHaveBeenCalledTimes(1)
    b.leave()
    await soon()
    expect(streams.map(({ by }) => by)).toEqual(['a'])
  })

  it('keep a leader that responds, however long there are no messages', async () => {
    const { streams, openTab } = startBrowser()
    const [a, b] = [openTab('a'), openTab('b')]
    a.open(organization(1))
    b.open(organization(1))
    await soon()
    const [stream] = streams
    await vi.advanceTimersByTimeAsync(600_000)
    expect(streams).toEqual([stream])
  })

  it('send a reopened page the messages it missed, even if another tab received them', async () => {
    const { streams, openTab } = startBrowser()
    const [a, b] = [openTab('a'), openTab('b')]
    const [list, other] = [a.open(organization(1)), b.open(organization(1))]
    await soon()
    list.leave()
    await soon()
    streams[0]!.message(changed(organization(1)), 'p1')
    await vi.advanceTimersByTimeAsync(29_000)
    const again = a.open(organization(1))
    await soon()
    expect([list, again, other].map(({ mock }) => mock.calls.length)).toEqual([0, 1, 1])
    expect(streams).toHaveLength(1)
  })

  it('follow a reopened page’s topics from before its data was fetched', async () => {
    const { streams, openTab } = startBrowser()
    const a = openTab('a')
    const list = a.open(organization(1))
    await soon()
    for (let second = 0; second < 100; second++) {
      streams[0]!.message({ type: 'following' }, `second ${second}`)
      await vi.advanceTimersByTimeAsync(1_000)
    }
    list.leave()
    a.open({ topic: 'hook', id: 1 })
    await soon()
    expect(streams.map(({ topics }) => topics)).toEqual([[{ topic: 'hook', id: 1 }]])
    a.open(organization(1))
    await soon()
    expect(streams.map(({ cursor }) => cursor)).toEqual(['second 60'])
  })

  it('send a new tab the messages since its page was rendered', async () => {
    const { streams, openTab } = startBrowser()
    openTab('a').open(organization(1))
    await soon()
    const b = openTab('b')
    streams[0]!.message(changed(organization(1)), 'p1')
    await soon()
    const page = b.open(organization(1))
    await soon()
    expect(page).toHaveBeenCalledTimes(1)
    expect(streams).toHaveLength(1)
  })

  it('no longer follow the topics of a closed tab', async () => {
    const { streams, openTab } = startBrowser()
    const [a, b] = [openTab('a'), openTab('b')]
    a.open(organization(1))
    b.open(organization(2))
    await soon()
    b.leave()
    a.open(organization(3))
    await soon()
    expect(streams.map(({ topics }) => topics)).toEqual([[organization(1), organization(3)]])
  })

  it('each have their own stream while visible, if there are no locks', async () => {
    const refusing = { request: () => Promise.reject(new Error('no locks')) } as Pick<LockManager, 'request'>
    for (const locks of [undefined, refusing]) {
      const { streams, openTab } = startBrowser({ locks })
      const [a, b] = [openTab('a'), openTab('b')]
      a.open(organization(1))
      b.open(organization(1))
      await soon()
      expect(streams.map(({ by }) => by)).toEqual(['a', 'b'])
      a.show(false)
      await vi.advanceTimersByTimeAsync(31_000)
      expect(streams.map(({ by }) => by)).toEqual(['b'])
      a.show(true)
      await soon()
      expect(streams.map(({ by }) => by)).toEqual(['b', 'a'])
    }
  })
})
