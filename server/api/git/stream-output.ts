import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type Pace, type Patience, startPatience } from './pace'

/** An answer on its way to the client. */
export interface StreamedOutput {
  /** Did git say anything? */
  begun: boolean
  /** Sends what was held back and ends the answer. */
  finish(): void
}

/**
 * Streams what git says into an answer, as fast as the client takes it, but for its last `heldBytes`. The headers go
 * with the first of it. When the client is gone the rest is read away; one that takes it too slowly is sent away.
 */
export async function streamOutput(
  output: AsyncIterable<Buffer>,
  response: ServerResponse,
  headers: Record<string, string>,
  { pace, heldBytes = 0 }: { pace: Pace; heldBytes?: number },
): Promise<StreamedOutput> {
  const patience = startPatience(pace)
  let held = Buffer.alloc(0)
  let begun = false
  for await (const chunk of output) {
    begun = true
    const bytes = held.length > 0 ? Buffer.concat([held, chunk]) : chunk
    const cut = Math.max(0, bytes.length - heldBytes)
    held = Buffer.from(bytes.subarray(cut))
    if (cut > 0) await send(response, headers, bytes.subarray(0, cut), patience)
  }
  const finish = () => {
    if (!response.headersSent) response.writeHead(200, headers)
    response.end(held)
  }
  return { begun, finish }
}

async function send(
  response: ServerResponse,
  headers: Record<string, string>,
  bytes: Uint8Array,
  patience: Patience,
): Promise<void> {
  if (response.destroyed) return
  if (!response.headersSent) response.writeHead(200, headers)
  if (!response.write(bytes)) await patience.waitFor(drained(response)).catch(() => response.destroy())
  patience.gained(bytes.length)
}

async function drained(response: ServerResponse): Promise<void> {
  const gone = new AbortController()
  const close = () => gone.abort()
  response.once('close', close)
  await once(response, 'drain', { signal: gone.signal }).catch(() => undefined)
  response.off('close', close)
}
