import { once } from 'node:events'
import type { Socket } from 'node:net'
import { z } from 'zod'
import { readLines } from '@/db/backup/read-lines'

/** Name of the socket in the data directory on which a server with an embedded database serves backups. */
export const socketName = 'backup.sock'

/** A request of the process that makes a backup, one line of JSON. Each gets one line in response, in order. */
export const Request = z.discriminatedUnion('call', [
  z.object({ call: z.literal('begin') }),
  z.object({ call: z.literal('pushesSince'), since: z.coerce.date(), afterId: z.int() }),
  z.object({ call: z.literal('recordedAmong'), keys: z.array(z.string()).max(100_000) }),
  z.object({ call: z.literal('requireHold') }),
  z.object({
    call: z.literal('end'),
    result: z.object({
      outcome: z.enum(['done', 'stopped', 'failed']),
      message: z.string().max(2000),
      sizeBytes: z.int().optional(),
      copiedBytes: z.int().optional(),
    }),
  }),
])
export type Request = z.input<typeof Request>

/** The result of a request, or the message of its failure. */
export const Response = z.union([z.object({ result: z.unknown() }), z.object({ failure: z.string() })])
export type Response = z.output<typeof Response>

/** The result of `begin`: a directory with a copy of the database, which is deleted with the connection. */
export const BegunCopy = z.object({ startedAt: z.coerce.date(), dataDir: z.string() })

const maxLineBytes = 16 * 1024 * 1024

/**
 * Reads the messages of the other side until it closes the connection.
 * @throws {Error} if a message is not JSON or has more than 16 MiB
 */
export async function* messagesFrom(socket: Socket): AsyncGenerator<unknown> {
  for await (const line of readLines(withLimit(socket))) yield JSON.parse(line)
}

async function* withLimit(socket: Socket): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    const end = chunk.lastIndexOf('\n')
    bytes = end < 0 ? bytes + chunk.length : chunk.length - end - 1
    if (bytes > maxLineBytes) throw new Error('the message is too long')
    yield chunk
  }
}

/** Sends a message, and waits until the other side reads if much is waiting. */
export async function send(socket: Socket, message: Request | Response): Promise<void> {
  if (socket.write(`${JSON.stringify(message)}\n`) || socket.destroyed) return
  const over = new AbortController()
  const either = ['drain', 'close'].map(event => once(socket, event, over))
  await Promise.race(either).finally(() => over.abort())
}
