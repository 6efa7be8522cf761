import { type Dispatcher, request } from 'undici'
import { whyItFailed } from './failure'
import type { HookRequest } from './request'

/** The result of a request. */
export interface Exchange {
  durationMs: number
  /** Absent if there was no response. */
  answer?: { status: number; headers: Record<string, string>; body: Buffer; isTruncated: boolean }
  /** Absent for a success: a status from 200 to 299 with a complete body. */
  error?: string
}

/** From the start of name resolution to the last byte of the response. */
const maxMs = 10_000
const maxBodyBytes = 64 * 1024

/**
 * Sends a request without following redirects and reads at most 64 KiB of the response, within 10 seconds.
 * @throws the reason of `interrupted`. All other errors are part of the result.
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
      ? `timed out: ${exchange.answer ? 'the answer did not end' : 'no answer'} within ${timeoutMs / 1000} seconds`
      : whyItFailed(error)
  } finally {
    clearTimeout(timer)
  }
  if (exchange.error === undefined) delete exchange.error
  return { ...exchange, durationMs: Math.round(performance.now() - begun) }
}

const maxInterim = 20

// Informational responses may never end, and each one takes time that others need.
function countInterim(): () => void {
  let count = 0
  return () => {
    if (++count > maxInterim) throw new EndlessInterim(`more than ${maxInterim} answers announce another one`)
  }
}

class EndlessInterim extends Error {
  override name = 'EndlessInterim'
}

// What was received before a failure is kept. Leaving the loop destroys the stream and its connection.
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
