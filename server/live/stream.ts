import type { LiveMessage, Topic } from './schema'

/** Who follows, and how they are known. */
export interface Viewer {
  /** Absent where nobody is signed in. */
  session?: { id: number; accountId: number } | undefined
  address: string
}

/** A message with the place from which a stream goes on after it. */
export interface Told {
  place: string
  message: LiveMessage
}

/** One open stream. What it has to tell waits until the client takes it, once for each topic however often that changes. */
export interface Stream {
  readonly viewer: Viewer
  /** By the key of each. */
  readonly topics: Map<string, Topic>
  readonly endsAt: number
  /** Without a place of its own, a message has that of the one before it. */
  tell(message: LiveMessage, place?: string): void
  /** Ends it once what waits was taken. */
  end(): void
  messages(): AsyncGenerator<Told, void>
}

/** Makes a stream. `ended` is called once, when it is over for whatever reason. */
export function createStream(
  { viewer, topics, endsAt }: Pick<Stream, 'viewer' | 'topics' | 'endsAt'>,
  ended: (stream: Stream) => void,
): Stream {
  // By their text: what waits already need not be told twice.
  const waiting = new Map<string, Told>()
  let lastPlace = ''
  let isOver = false
  let wake: (() => void) | undefined

  const stream: Stream = {
    viewer,
    topics,
    endsAt,
    tell(message, place = lastPlace) {
      if (isOver) return
      lastPlace = place
      const text = JSON.stringify(message)
      if (!waiting.has(text)) waiting.set(text, { place, message })
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
          for (const [text, told] of waiting) {
            waiting.delete(text)
            yield told
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
