import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type { GraceTimer, Pace } from '@/server/kernel/http/pace'
import { startGraceTimer } from './pace'
import type { Output } from './reply'

/** Result of a response once Git has written everything. */
export interface StreamedOutput {
  /** False if Git wrote nothing. */
  begun: boolean
  /** Sends the bytes that were held back, preceded by others, and ends the response. */
  finish(before?: Buffer): void
}

/**
 * Streams Git's output into a response as fast as the client reads, except for the last `heldBytes`. The headers are
 * sent with the first bytes. If the client disconnects, the rest is discarded; a client that reads too slowly is
 * disconnected.
 */
export async function streamOutput(
  output: AsyncIterable<Buffer>,
  reply: Output,
  headers: Record<string, string>,
  { pace, heldBytes = 0 }: { pace: Pace; heldBytes?: number },
): Promise<StreamedOutput> {
  const grace = startGraceTimer(pace)
  let held = Buffer.alloc(0)
  let begun = false
  for await (const chunk of output) {
    begun = true
    const bytes = held.length > 0 ? Buffer.concat([held, chunk]) : chunk
    const cut = Math.max(0, bytes.length - heldBytes)
    held = Buffer.from(bytes.subarray(cut))
    if (cut > 0 && !reply.disconnected.aborted)
      await send(reply.begin(headers), bytes.subarray(0, cut), grace)
  }
  return {
    begun,
    finish: before => reply.begin(headers).end(before ? Buffer.concat([before, held]) : held),
  }
}

async function send(body: Writable, bytes: Uint8Array, grace: GraceTimer): Promise<void> {
  if (!body.write(bytes)) await grace.waitFor(drained(body)).catch(() => body.destroy())
  grace.gained(bytes.length)
}

async function drained(body: Writable): Promise<void> {
  const disconnected = new AbortController()
  const close = () => disconnected.abort()
  body.once('close', close)
  await once(body, 'drain', { signal: disconnected.signal }).catch(() => undefined)
  body.off('close', close)
}
