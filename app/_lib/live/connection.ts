import { createTRPCClient, httpSubscriptionLink, TRPCClientError } from '@trpc/client'
import type { AppRouter } from '@/server/api/root'
import type { LiveMessage, Topic } from '@/server/live/schema'

/** Whether the stream is connected. */
export type ConnectionState = 'live' | 'reconnecting'

export interface ConnectionListener {
  message(message: LiveMessage, cursor: string): void
  state(state: ConnectionState): void
  /**
   * Called when the connection has stopped permanently. `viewer` is the username of the person who is now
   * signed in instead, null if no one is signed in, and undefined if the connection stopped for another
   * reason.
   */
  over(viewer?: string | null): void
}

export interface Connection {
  close(): void
}

const client = createTRPCClient<AppRouter>({ links: [httpSubscriptionLink({ url: '/api/trpc' })] })

// Doubled with each failure. All browsers reconnect after a restart, so each waits a random time.
const firstWaitMs = 1_000
const longestWaitMs = 60_000
const busyWaitMs = 60_000

/** Follows topics from a cursor on, and reconnects until it is closed. */
export function connect(
  { topics, viewer, cursor }: { topics: Topic[]; viewer: string; cursor: string | undefined },
  listener: ConnectionListener,
): Connection {
  let last = cursor
  let waitMs = firstWaitMs
  let timer: ReturnType<typeof setTimeout> | undefined
  let open: { unsubscribe(): void } | undefined
  let isClosed = false

  function retry(ms: number): void {
    open?.unsubscribe()
    open = undefined
    clearTimeout(timer)
    if (isClosed) return
    listener.state('reconnecting')
    timer = setTimeout(attempt, ms * (0.5 + Math.random()))
  }

  function fail(error?: unknown): void {
    const { kind, viewer: now } = refusalOf(error)
    if (kind === 'viewerChanged' || kind === 'forbidden' || kind === 'invalid') {
      close()
      listener.over(now)
      return
    }
    retry(kind === 'tooManyRequests' ? busyWaitMs : waitMs)
    waitMs = Math.min(longestWaitMs, 2 * waitMs)
  }

  function attempt(): void {
    let isCurrent = true
    const current = (react: () => void): void => {
      if (isCurrent && !isClosed) react()
    }
    const subscription = client.live.follow.subscribe(
      { topics, viewer, ...(last === undefined ? {} : { lastEventId: last }) },
      {
        onData: ({ id, data }) =>
          current(() => {
            last = id
            waitMs = firstWaitMs
            if (data.type === 'following') listener.state('live')
            listener.message(data, id)
            if (data.type !== 'signedOut') return
            close()
            listener.over(null)
          }),
        // The browser would retry immediately, and all browsers at the same time.
        onConnectionStateChange: ({ state, error }) =>
          current(() => {
            if (state === 'connecting' && error) fail()
          }),
        onError: error => current(() => fail(error)),
        // The server closes each stream after a while, and all of them when it stops.
        onComplete: () => current(() => retry(firstWaitMs)),
      },
    )
    open = {
      unsubscribe() {
        isCurrent = false
        subscription.unsubscribe()
      },
    }
  }

  function close(): void {
    isClosed = true
    open?.unsubscribe()
    clearTimeout(timer)
    globalThis.removeEventListener?.('online', goOn)
  }

  // Attempts while offline say nothing about the server.
  function goOn(): void {
    if (open || isClosed) return
    clearTimeout(timer)
    attempt()
  }

  globalThis.addEventListener?.('online', goOn)
  attempt()
  return { close }
}

function refusalOf(error: unknown): { kind?: string; viewer?: string | null } {
  if (!(error instanceof TRPCClientError)) return {}
  const { kind, viewer } = error.data ?? {}
  return { kind, viewer }
}
