import type { ClaimedEvent, EventKind } from '@/server/events'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { headerEvent } from '../event-names'
import type { HookBodies } from './bodies'

/** The payload of one event, the same for every hook. */
export type HookPayload = {
  [T in keyof HookBodies]: {
    /** The event name in headers, which groups several types. */
    event: string
    /** The exact type, as hooks choose it. */
    eventType: T
    /** The JSON body. */
    body: HookBodies[T]
    /** The JSON indentation in spaces. */
    indent: 1 | 2
    /** The ref for branch filters; only for `push`, `create` and `delete`. */
    ref?: { short: string; full: string }
  }
}[keyof HookBodies]

/** An event of this kind from the outbox. */
export type EventOf<K extends EventKind> = Extract<ClaimedEvent, { kind: K }>

/** Builds the payload of an event; undefined if there is nothing left to send. */
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
    // As Gitea does: its signatures cover these exact bytes.
    indent: eventType === 'repository' ? 1 : 2,
    ...(ref === undefined ? {} : { ref: { full: ref, short: shortRef(ref) } }),
  } as HookPayload
}

/** A ref without `refs/heads/` or `refs/tags/`. */
export const shortRef = (ref: string): string => ref.replace(/^refs\/(heads|tags)\//, '')
