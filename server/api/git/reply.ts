import { PassThrough, type Writable } from 'node:stream'
import type { Answer } from '@/server/kernel/http/call'

/** Where what git says goes to, whatever the client came over. */
export interface Output {
  /** Aborted when the client is gone, or has everything. */
  disconnected: AbortSignal
  /** Begins a successful answer, unless that is done; returns its body, to be written to with back-pressure. */
  begin(headers: Record<string, string>): Writable
}

/** The answer to a request that goes on being worked on while its answer is already on the way. */
export interface Reply extends Output {
  /** Settles when the answer begins, whichever way. */
  answer: Promise<Answer>
  /** Answers with what went wrong. An answer that has begun is cut off instead. */
  fail(error: unknown): void
  /** To be called once nothing more is done: a client that was gone before its answer began gets an empty one. */
  close(): void
}

/** Opens the reply to a request of a client whose going away is told by `clientDisconnected`; `refuse` words a failure. */
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
    // Settled already, unless the client is gone.
    close: () => settle({ status: 400, headers: {} }),
  }
}
