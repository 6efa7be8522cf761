import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LiveMessage } from '@/server/live/schema'
import { connect } from './connection'

const browser = new EventTarget()
let sources: Source[] = []

/** A mock of the browser's `EventSource`. The test decides what the server sends. */
class Source extends EventTarget {
  readonly CLOSED = 2
  readyState = 0
  readonly input: { lastEventId?: string; viewer: string }

  constructor(url: string) {
    super()
    this.input = JSON.parse(new URL(url, 'http://127.0.0.1').searchParams.get('input') ?? '')
    sources.push(this)
  }

  close(): void {
    this.readyState = this.CLOSED
    sources = sources.filter(source => source !== this)
  }

  async answer(name: string, data: unknown = {}, lastEventId = ''): Promise<void> {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data), lastEventId }))
    await vi.advanceTimersByTimeAsync(0)
  }

  async send(message: LiveMessage, cursor: string): Promise<void> {
    await this.answer('connected', { reconnectAfterInactivityMs: 50_000 })
    await this.answer('message', message, cursor)
  }

  async refuse(kind: string, viewer?: string | null): Promise<void> {
    const error = { code: -32_600, message: 'refused', data: { kind, viewer } }
    await this.answer('serialized-error', error)
  }

  async lose(): Promise<void> {
    this.dispatchEvent(new Event('error'))
    await vi.advanceTimersByTimeAsync(0)
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  vi.stubGlobal('EventSource', Source)
  vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser))
  vi.stubGlobal('removeEventListener', browser.removeEventListener.bind(browser))
  sources = []
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

async function start() {
  const received: string[] = []
  const connection = connect(
    { topics: [{ topic: 'account' }], viewer: '7', cursor: 'rendered' },
    {
      message: ({ type }, cursor) => received.push(`${type} ${cursor}`),
      state: state => received.push(state),
      over: viewer => received.push(`over ${viewer}`),
    },
  )
  await vi.advanceTimersByTimeAsync(0)
  /** Returns the number of seconds until the next attempt, or undefined if there is none within so many. */
  const retriesAfter = async (seconds: number): Promise<number | undefined> => {
    for (let passed = 0; passed <= seconds; passed++) {
      if (sources.length > 0) return passed
      await vi.advanceTimersByTimeAsync(1_000)
    }
    return undefined
  }
  return { connection, received, retriesAfter }
}

const following: LiveMessage = { type: 'following' }

describe('connect', () => {
  it('continues after the last message when the connection is lost or the server closes it', async () => {
    const { received, retriesAfter } = await start()
    expect(sources[0]!.input).toMatchObject({ viewer: '7', lastEventId: 'rendered' })
    await sources[0]!.send(following, 'p1')
    await sources[0]!.lose()
    expect(await retriesAfter(60)).toBe(1)
    expect(sources[0]!.input.lastEventId).toBe('p1')
    await sources[0]!.send(following, 'p2')
    await sources[0]!.answer('return')
    expect(await retriesAfter(60)).toBe(1)
    expect(sources[0]!.input.lastEventId).toBe('p2')
    const once = ['live', 'following p1', 'reconnecting']
    expect(received).toEqual([...once, 'live', 'following p2', 'reconnecting'])
  })

  it('retries less and less often while it fails, and waits a minute after too many requests', async () => {
    const { retriesAfter } = await start()
    const waits: (number | undefined)[] = []
    for (let failure = 0; failure < 8; failure++) {
      await sources[0]!.lose()
      waits.push(await retriesAfter(100))
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
    await sources[0]!.send(following, 'p1')
    await sources[0]!.refuse('tooManyRequests')
    expect(await retriesAfter(100)).toBe(60)
  })

  it('retries immediately when the browser is online again', async () => {
    const { connection, retriesAfter } = await start()
    for (let failure = 0; failure < 5; failure++) {
      await sources[0]!.lose()
      if (failure < 4) await retriesAfter(100)
    }
    browser.dispatchEvent(new Event('online'))
    await vi.advanceTimersByTimeAsync(0)
    expect(sources).toHaveLength(1)
    browser.dispatchEvent(new Event('online'))
    await vi.advanceTimersByTimeAsync(100_000)
    connection.close()
    browser.dispatchEvent(new Event('online'))
    await vi.advanceTimersByTimeAsync(100_000)
    expect(sources).toEqual([])
  })

  it('stops if the viewer has changed or lost access, and reports who is signed in now', async () => {
    for (const [kind, viewer] of [
      ['viewerChanged', 'ben'],
      ['viewerChanged', null],
      ['forbidden', undefined],
      ['invalid', undefined],
    ] as const) {
      const { received, retriesAfter } = await start()
      await sources[0]!.refuse(kind, viewer)
      expect([received, await retriesAfter(100)]).toEqual([[`over ${viewer}`], undefined])
    }
    const { received, retriesAfter } = await start()
    await sources[0]!.send({ type: 'signedOut' }, 'p1')
    expect([received, await retriesAfter(100)]).toEqual([['signedOut p1', 'over null'], undefined])
  })

  it('closes the connection and retries if the server sends nothing for too long', async () => {
    const { received, retriesAfter } = await start()
    await sources[0]!.send(following, 'p1')
    const [first] = sources
    await vi.advanceTimersByTimeAsync(50_000)
    expect(await retriesAfter(60)).toBe(1)
    expect([sources.length, sources[0] === first, received.at(-1)]).toEqual([1, false, 'reconnecting'])
  })
})
