import { z } from 'zod'
import { type Notice, readEvent } from './catalogue'
import type { EventSignal, Signal } from './hub'

// PostgreSQL limits a notification to fewer than 8,000 bytes. Sending more texts than this individually is not
// worthwhile.
const maxBytes = 7_900
const maxTexts = 16

/**
 * A parsed message from another server process: the name of the process and its signals, or `many` if there
 * were too many to send.
 */
export type ReadSignals = { from: string; signals: Signal[] | 'many' }

/**
 * Serializes signals to messages that fit into the payload of a PostgreSQL notification. Each message starts
 * with `from`, the name of the sending process.
 */
export function writeSignals(from: string, signals: readonly Signal[]): string[] {
  const texts: string[] = []
  let parts: string[] = []
  let bytes = 0
  const finish = (): void => {
    texts.push(`${from}[${parts.join()}]`)
    parts = []
    bytes = from.length + 2
  }
  bytes = from.length + 2
  for (const signal of signals) {
    const part = JSON.stringify('id' in signal ? short(signal) : signal)
    const size = Buffer.byteLength(part) + 1
    if (bytes + size > maxBytes) finish()
    if (texts.length >= maxTexts) return [`${from}"many"`]
    parts.push(part)
    bytes += size
  }
  finish()
  return texts
}

/**
 * Parses a message from another server process. Skips signals that only a later version of the server knows.
 * @returns undefined if the message is malformed
 */
export function readSignals(text: string): ReadSignals | undefined {
  const from = text.slice(0, senderLength)
  try {
    const body: unknown = JSON.parse(text.slice(senderLength))
    if (body === 'many') return { from, signals: 'many' }
    if (!Array.isArray(body)) return undefined
    return { from, signals: body.flatMap(part => readShort(part) ?? readNotice(part) ?? []) }
  } catch {
    return undefined
  }
}

/** Length of a process name in characters. */
export const senderLength = 16

const short = ({ id, kind, ownerId, repositoryId, personId }: EventSignal) => [
  id,
  kind,
  ownerId,
  repositoryId,
  ...(personId === undefined ? [] : [personId]),
]

const idOrNone = z.int().nullable()
const Short = z.tuple([z.int(), z.string(), idOrNone, idOrNone, z.int().optional()])

function readShort(part: unknown): EventSignal | undefined {
  const { data } = Short.safeParse(part)
  if (!data) return undefined
  const [id, kind, ownerId, repositoryId, personId] = data
  const event = readEvent({ kind, data: {} })
  return event && { id, kind: event.kind, ownerId, repositoryId, ...(personId !== undefined && { personId }) }
}

const target = { ownerId: idOrNone, repositoryId: idOrNone }
const NoticeShape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('hook.delivery_changed'), hookId: z.int() }),
  z.object({ kind: z.literal('hook.changed'), hookId: z.int(), ...target }),
  z.object({ kind: z.literal('runner.changed'), runnerId: z.int(), ...target }),
  z.object({
    kind: z.literal('release.changed'),
    isDraft: z.boolean(),
    ownerId: z.int(),
    repositoryId: z.int(),
  }),
  z.object({ kind: z.literal('status.changed'), repositoryId: z.int() }),
  z.object({ kind: z.literal('run.changed'), runId: z.int(), repositoryId: z.int() }),
  z.object({ kind: z.literal('jobs.queued'), ownerId: z.int(), repositoryId: z.int() }),
  z.object({ kind: z.literal('calls.waiting'), repositoryId: z.int() }),
  z.object({ kind: z.literal('log.appended'), taskId: z.int(), runId: z.int(), repositoryId: z.int() }),
  z.object({ kind: z.literal('key.used'), keyId: z.int(), ...target }),
  z.object({ kind: z.literal('event.considered'), ...target }),
  z.object({ kind: z.literal('variables.changed'), ...target }),
  z.object({ kind: z.literal('transfer.changed'), ownerId: z.int(), repositoryId: z.null() }),
  z.object({ kind: z.literal('notifications.changed'), ownerId: z.int(), repositoryId: z.null() }),
]) satisfies z.ZodType<Notice>

const readNotice = (part: unknown): Notice | undefined => NoticeShape.safeParse(part).data
