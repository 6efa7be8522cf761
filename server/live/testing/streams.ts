import { randomBytes } from 'node:crypto'
import type { Db } from '@/db/client'
import { keyOf } from '../authorize'
import type { LiveMessage, Topic } from '../schema'
import type { Stream, Viewer } from '../stream'

/** Adds a session for a person and returns it. */
export async function signIn(
  db: Db,
  accountId: number,
  expiresAt: Date,
): Promise<NonNullable<Viewer['session']>> {
  const { id } = await db
    .insertInto('sessions')
    .values({ user_id: accountId, token_hash: randomBytes(32), expires_at: expiresAt })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, accountId }
}

interface KeptStream {
  stream: Stream
  /** All messages sent to the stream, with their positions. */
  sent: { message: LiveMessage; cursor: string | undefined }[]
  isOver(): boolean
}

/** Creates a stream that records its messages but has no reader. */
export function keptStream(
  session: Viewer['session'],
  topics: readonly Topic[],
  {
    endsAt = Number.POSITIVE_INFINITY,
    ended = () => {},
  }: { endsAt?: number; ended?(stream: Stream): void } = {},
): KeptStream {
  const sent: KeptStream['sent'] = []
  let isOver = false
  const stream: Stream = {
    viewer: { session, address: '192.0.2.1' },
    topics: new Map(topics.map(topic => [keyOf(topic, session?.accountId), topic])),
    endsAt,
    send(message, cursor) {
      if (!isOver) sent.push({ message, cursor })
    },
    end() {
      if (isOver) return
      isOver = true
      ended(stream)
    },
    async *messages() {},
  }
  return { stream, sent, isOver: () => isOver }
}
