import type { Signal } from '@/server/events'
import { keyOf, keysOf } from './authorize'
import type { Stream } from './stream'

/** The open streams of a process, by the topics they follow. */
export interface Followers {
  /** Adds a stream and returns the keys of its topics. */
  add(stream: Stream): readonly string[]
  remove(stream: Stream): void
  has(stream: Stream): boolean
  count(): number
  all(): Iterable<Stream>
  of(key: string): Iterable<Stream>
  /** Returns the streams that a signal may concern. */
  concernedBy(signal: Signal): Iterable<Stream>
}

export function createFollowers(): Followers {
  const streams = new Map<Stream, readonly string[]>()
  const followers = new Map<string, Set<Stream>>()
  const of = (key: string): Iterable<Stream> => followers.get(key) ?? []

  return {
    add(stream) {
      const { session } = stream.viewer
      // An event about an account triggers a new check of its streams.
      const own = session ? [keyOf({ topic: 'account' }, session.accountId)] : []
      const keys = [...new Set([...stream.topics.keys(), ...own])]
      streams.set(stream, keys)
      for (const key of keys) followers.set(key, (followers.get(key) ?? new Set()).add(stream))
      return keys
    },
    remove(stream) {
      for (const key of streams.get(stream) ?? []) {
        const there = followers.get(key)
        there?.delete(stream)
        if (there?.size === 0) followers.delete(key)
      }
      streams.delete(stream)
    },
    has: stream => streams.has(stream),
    count: () => streams.size,
    all: () => streams.keys(),
    of,
    concernedBy(signal) {
      if (streams.size === 0) return []
      if (signal.kind === 'missed' || signal.kind === 'user.deleted') return streams.keys()
      return new Set(keysOf(signal).flatMap(key => [...of(key)]))
    },
  }
}
