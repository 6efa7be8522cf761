import { PassThrough, type Writable } from 'node:stream'
import type { Answer } from '@/server/kernel/http/call'

/** Destination of Git's output, over any transport. */
export interface Output {
  /** Aborted when the client disconnects or has received everything. */
  disconnected: AbortSignal
  /**
   * Starts a successful response, unless it has started, and returns its body, which is written to with back-pressure.
   */
  begin(headers: Record<string, string>): Writable
}

/** Response to a request that is still being processed while the response is being sent. */
export interface Reply extends Output {
  /** Resolves when the response starts, successful or not. */
  answer: Promise<Answer>
  /** Responds with the failure. A response that has started is cut off instead. */
  fail(error: unknown): void
  /**
   * Must be called when nothing more is done. A client that disconnected before the response started gets an empty
   * one.
   */
  close(): void
}

/** Opens the reply to a request. `clientDisconnected` says when the client disconnects, and `refuse` words failures. */
export function openReply(
  clientDisconnected: AbortSignal | undefined,
  refuse: (error: unknown) => Answer,
): Reply {
  const disconnected = new AbortController()
  if (clientDisconnected?.aborted) disconnected.abort()
  else clientDisconnected?.addEventListener('abort', () => disconnected.abort(), { once: true })
  let body: PassThrough | undefined
  let settle: (answer: Answer) => void = () => undefined
  const answer = new Promise<Answer>(resolve => {
    settle = resolve
  })
  return {
    answer,
    disconnected: disconnected.signal,
    begin(headers) {
      if (body) return body
      body = new PassThrough()
      body.once('close', () => disconnected.abort())
      settle({ status: 200, headers, body })
      return body
    },
    fail(error) {
      const refusal = refuse(error)
      if (body) body.destroy()
      else settle(refusal)
    },
    // The response has started already, unless the client has disconnected.
    close: () => settle({ status: 400, headers: {} }),
  }
}
