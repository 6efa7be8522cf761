import type { ClaimedEvent, EventKind } from '@/server/events'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { headerEvent } from '../event-names'
import type { HookBodies } from './bodies'

/** What one event tells every hook that wants it. */
export type HookPayload = {
  [T in keyof HookBodies]: {
    /** The word that headers name the event by, which groups several types. */
    event: string
    /** The exact type, as hooks choose it. */
    eventType: T
    /** What is sent as JSON. */
    body: HookBodies[T]
    /** By how many spaces each level of the JSON is moved in. */
    indent: 1 | 2
    /** What branch filters are matched with: of `push`, `create` and `delete` alone. */
    ref?: { short: string; full: string }
  }
}[keyof HookBodies]

/** An event of this kind, as it comes out of the outbox. */
export type EventOf<K extends EventKind> = Extract<ClaimedEvent, { kind: K }>

/** Makes what is sent for an event; undefined where nothing is left to tell of. */
export type PayloadBuilder<K extends EventKind> = (
  ctx: ServiceCtx,
  event: EventOf<K>,
) => Promise<HookPayload | undefined>

export function payload<T extends keyof HookBodies>(
  eventType: T,
  body: HookBodies[T],
  ref?: string,
): HookPayload {
  return {
    event: eventType === 'ping' ? eventType : headerEvent(eventType),
    eventType,
    body,
    // As Gitea does, whose signatures are of these very bytes.
    indent: eventType === 'repository' ? 1 : 2,
    ...(ref === undefined ? {} : { ref: { full: ref, short: shortRef(ref) } }),
  } as HookPayload
}

/** A ref without `refs/heads/` or `refs/tags/`. */
export const shortRef = (ref: string): string => ref.replace(/^refs\/(heads|tags)\//, '')
