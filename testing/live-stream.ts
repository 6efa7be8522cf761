import { viewerName } from '@/server/auth/page-viewer'
import type { FollowInput, LiveMessage, Topic } from '@/server/live/schema'

/** What a stream has told, and how to wait for more. */
export interface LiveStream {
  status: number
  headers: Headers
  messages: LiveMessage[]
  /** Of the last message that had one. */
  lastEventId: string
  /** Names of events besides messages, in their order: `connected`, `ping`, `return`, `serialized-error`. */
  events: string[]
  /** What refused it, if something did. */
  error: { message: string; data: { kind: string; viewer?: string | null } } | undefined
  /** Waits until it has told what this finds, and gives that; fails where the stream ends before. */
  waitFor<Found>(find: (stream: LiveStream) => Found | undefined | false): Promise<Found>
  /** Settled when the stream is over, from whichever side. */
  over: Promise<void>
  close(): void
}

interface Options {
  cookie?: string
  /** Of who is signed in by the cookie. */
  userId?: number | undefined
  after?: string | undefined
  headers?: Record<string, string>
  input?: Partial<FollowInput>
}

/** Follows topics as a page does. */
export async function follow(
  url: string,
  topics: Topic[],
  { cookie = '', userId, after, headers, input }: Options = {},
): Promise<LiveStream> {
  const asked: FollowInput = {
    topics,
    viewer: viewerName(userId),
    ...(after === undefined ? {} : { lastEventId: after }),
    ...input,
  }
  const closing = new AbortController()
  const address = `${url}/api/trpc/live.follow?input=${encodeURIComponent(JSON.stringify(asked))}`
  const response = await fetch(address, {
    headers: { 'sec-fetch-site': 'same-origin', accept: 'text/event-stream', cookie, ...headers },
    signal: closing.signal,
  })
  const waiting = new Set<() => void>()
  let isOver = false
  const stream: LiveStream = {
    status: response.status,
    headers: response.headers,
    messages: [],
    lastEventId: '',
    events: [],
    error: undefined,
    async waitFor(find) {
      for (;;) {
        const found = find(stream)
        if (found) return found
        if (isOver) throw new Error(`the stream is over: ${JSON.stringify(stream)}`)
        await new Promise<void>(resolve => waiting.add(resolve))
        waiting.clear()
      }
    },
    over: Promise.resolve(),
    close: () => closing.abort(),
  }
  stream.over = read(response, event => {
    note(stream, event)
    for (const wake of waiting) wake()
  })
    .catch(() => undefined)
    .then(() => {
      isOver = true
      for (const wake of waiting) wake()
    })
  return stream
}

type StreamEvent = Record<'event' | 'data' | 'id', string | undefined>

function note(stream: LiveStream, { event, data = '', id }: StreamEvent): void {
  if (id) stream.lastEventId = id
  if (!event) stream.messages.push(JSON.parse(data))
  else stream.events.push(event)
  if (event === 'serialized-error') stream.error = JSON.parse(data)
}

async function read(response: Response, take: (event: StreamEvent) => void): Promise<void> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n')
      text = text.slice(end + 2).replace(/^\n+/, '')
      const fields = lines.filter(line => line.includes(': ')).map(line => line.split(/: (.*)/s).slice(0, 2))
      if (fields.length > 0) take(Object.fromEntries(fields) as StreamEvent)
    }
  }
  if (!response.ok)
    take({ event: 'serialized-error', data: JSON.stringify(JSON.parse(text).error), id: undefined })
}
