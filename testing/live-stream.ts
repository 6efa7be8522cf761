import { viewerName } from '@/server/auth/page-viewer'
import type { FollowInput, LiveMessage, Topic } from '@/server/live/schema'

/** The messages that an event stream has received so far, and a way to wait for more. */
export interface LiveStream {
  status: number
  headers: Headers
  messages: LiveMessage[]
  /** The ID of the last message with an ID. */
  lastEventId: string
  /** The names of events other than messages, in order: `connected`, `ping`, `return`, `serialized-error`. */
  events: string[]
  /** The error with which the server rejected the stream, if any. */
  error: { message: string; data: { kind: string; viewer?: string | null } } | undefined
  /**
   * Waits until `find` returns a truthy value for the received messages, and returns it.
   * @throws {Error} if the stream ends first.
   */
  waitFor<Found>(find: (stream: LiveStream) => Found | undefined | false): Promise<Found>
  /** Resolves when the client or the server has ended the stream. */
  over: Promise<void>
  close(): void
}

interface Options {
  cookie?: string
  /** The ID of the user who is signed in with the cookie. */
  userId?: number | undefined
  after?: string | undefined
  headers?: Record<string, string>
  input?: Partial<FollowInput>
}

/** Opens an event stream that follows topics, as a page does. */
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
        if (isOver) throw new Error(`the stream ended before the expected message: ${JSON.stringify(stream)}`)
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
