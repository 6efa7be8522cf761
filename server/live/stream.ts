import type { LiveMessage, Topic } from './schema'

/** The viewer of a stream, and the session that authenticates them. */
export interface Viewer {
  /** Session of the viewer; absent for anonymous viewers. */
  session?: { id: number; accountId: number } | undefined
  address: string
}

/** A message with the position to resume from. */
export interface StreamMessage {
  cursor: string
  message: LiveMessage
}

/**
 * An open stream. Messages wait until the client reads them; repeated messages are merged, so at most one per
 * topic and type is waiting.
 */
export interface Stream {
  readonly viewer: Viewer
  /** Followed topics by key. */
  readonly topics: Map<string, Topic>
  readonly endsAt: number
  /** Queues a message. Without a position, it gets the position of the previous message. */
  send(message: LiveMessage, cursor?: string): void
  /** Ends the stream after the waiting messages are read. */
  end(): void
  messages(): AsyncGenerator<StreamMessage, void>
}

/** Creates a stream. `ended` is called once, when the stream ends for any reason. */
export function createStream(
  { viewer, topics, endsAt }: Pick<Stream, 'viewer' | 'topics' | 'endsAt'>,
  ended: (stream: Stream) => void,
): Stream {
  // Keyed by the message's text, so that a waiting message is not repeated.
  const waiting = new Map<string, StreamMessage>()
  let lastCursor = ''
  let isOver = false
  let wake: (() => void) | undefined

  const stream: Stream = {
    viewer,
    topics,
    endsAt,
    send(message, cursor = lastCursor) {
      if (isOver) return
      lastCursor = cursor
      const text = JSON.stringify(message)
      if (!waiting.has(text)) waiting.set(text, { cursor, message })
      wake?.()
    },
    end() {
      if (isOver) return
      isOver = true
      ended(stream)
      wake?.()
    },
    async *messages() {
      try {
        for (;;) {
          for (const [text, sent] of waiting) {
            waiting.delete(text)
            yield sent
          }
          if (waiting.size > 0) continue
          if (isOver) return
          await new Promise<void>(resolve => {
            wake = resolve
          })
        }
      } finally {
        stream.end()
      }
    },
  }
  return stream
}
