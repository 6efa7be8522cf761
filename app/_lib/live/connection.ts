import { createTRPCClient, httpSubscriptionLink, TRPCClientError } from '@trpc/client'
import type { AppRouter } from '@/server/api/root'
import type { LiveMessage, Topic } from '@/server/live/schema'

/** Whether the stream tells what happens at the moment. */
export type ConnectionState = 'live' | 'reconnecting'

export interface ConnectionListener {
  message(message: LiveMessage, cursor: string): void
  state(state: ConnectionState): void
  /** Called when it is over for good; with the name of who is signed in now, or null, where that has changed. */
  over(viewer?: string | null): void
}

export interface Connection {
  close(): void
}

const client = createTRPCClient<AppRouter>({ links: [httpSubscriptionLink({ url: '/api/trpc' })] })

// Doubled with each failure. Everybody comes back at once after a restart, so each waits a time of their own.
const firstWaitMs = 1_000
const longestWaitMs = 60_000
const busyWaitMs = 60_000

/** Follows topics from a cursor on, again and again until it is closed. */
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
        // The browser would try again at once, and all browsers at the same time.
        onConnectionStateChange: ({ state, error }) =>
          current(() => {
            if (state === 'connecting' && error) fail()
          }),
        onError: error => current(() => fail(error)),
        // The server ends each after a while, and all when it stops.
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

  // What was tried without a network says nothing of the server.
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
