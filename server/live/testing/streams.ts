import { randomBytes } from 'node:crypto'
import type { Db } from '@/db/client'
import { keyOf } from '../authorize'
import type { LiveMessage, Topic } from '../schema'
import type { Stream, Viewer } from '../stream'

/** Adds a session of a person. */
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
  /** All that it was told, with the cursor of each message. */
  sent: { message: LiveMessage; cursor: string | undefined }[]
  isOver(): boolean
}

/** A stream that nobody reads. */
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
