import { type Dispatcher, request } from 'undici'
import { whyItFailed } from './failure'
import type { HookRequest } from './request'

/** The result of an HTTP request to a receiver. */
export interface Exchange {
  durationMs: number
  /** The response with at most 64 KiB of its body; absent if there was none. */
  answer?: { status: number; headers: Record<string, string>; body: Buffer; isTruncated: boolean }
  /** Why the request failed; absent if the status was between 200 and 299 and the body was complete. */
  error?: string
}

/** Timeout in milliseconds, from the start of name resolution to the last byte of the response. */
const maxMs = 10_000
const maxBodyBytes = 64 * 1024

/**
 * Sends a request without following redirects and reads at most 64 KiB of the response within 10 seconds.
 * Failures are part of the result.
 * @throws the abort reason of `interrupted`.
 */
export async function send(
  dispatcher: Dispatcher,
  { url, method, headers, body }: HookRequest,
  { interrupted, timeoutMs = maxMs }: { interrupted: AbortSignal; timeoutMs?: number },
): Promise<Exchange> {
  const begun = performance.now()
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), timeoutMs)
  const exchange: Omit<Exchange, 'durationMs'> = {}
  try {
    const signal = AbortSignal.any([late.signal, interrupted])
    const answer = await request(url, { dispatcher, method, headers, body, signal, onInfo: countInterim() })
    const read = { status: answer.statusCode, headers: textsOf(answer.headers), body: Buffer.alloc(0) }
    exchange.answer = { ...read, isTruncated: false }
    await readInto(exchange.answer, answer.body)
    exchange.error = wrongStatus(answer.statusCode)
  } catch (error) {
    interrupted.throwIfAborted()
    exchange.error = late.signal.aborted
      ? `timed out: ${exchange.answer ? 'the response did not end' : 'no response'} within ${timeoutMs / 1000} seconds`
      : whyItFailed(error)
  } finally {
    clearTimeout(timer)
  }
  if (exchange.error === undefined) delete exchange.error
  return { ...exchange, durationMs: Math.round(performance.now() - begun) }
}

const maxInterim = 20

// A server could send informational responses endlessly, and each one takes time that other requests need.
function countInterim(): () => void {
  let count = 0
  return () => {
    if (++count > maxInterim) throw new EndlessInterim(`more than ${maxInterim} informational responses`)
  }
}

class EndlessInterim extends Error {
  override name = 'EndlessInterim'
}

// Keeps the bytes that arrived before a failure. Leaving the loop destroys the stream and its connection.
async function readInto(
  answer: NonNullable<Exchange['answer']>,
  body: Dispatcher.ResponseData['body'],
): Promise<void> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      length += chunk.length
      answer.isTruncated = length > maxBodyBytes
      if (answer.isTruncated) break
    }
  } finally {
    answer.body = Buffer.concat(chunks, length).subarray(0, maxBodyBytes)
  }
}

function textsOf(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  )
}

function wrongStatus(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined
  return `answered ${status}${status >= 300 && status < 400 ? ': redirects are not followed' : ''}`
}
