import type { ClaimedEvent, EventKind } from '@/server/events'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { shortRef } from '@/server/kernel/git/ref-names'
import { headerEvent } from '../event-names'
import type { HookBodies } from './bodies'

/** The payload of one event, which is the same for every webhook. */
export type HookPayload = {
  [T in keyof HookBodies]: {
    /** Event name in the request headers, which several types can share. */
    event: string
    /** Exact event type, to which webhooks subscribe. */
    eventType: T
    /** The content of the payload, before it is formatted for a type of webhook. */
    body: HookBodies[T]
    /** Indentation of the JSON body, in spaces. */
    indent: 1 | 2
    /** The ref that branch filters match; only present for `push`, `create`, and `delete`. */
    ref?: { short: string; full: string }
  }
}[keyof HookBodies]

/** An event of this kind, as read from the outbox. */
export type EventOf<K extends EventKind> = Extract<ClaimedEvent, { kind: K }>

/** Builds the payload of an event; undefined if there is nothing to send. */
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
    // Gitea uses this indentation. Signatures cover the exact bytes.
    indent: eventType === 'repository' ? 1 : 2,
    ...(ref === undefined ? {} : { ref: { full: ref, short: shortRef(ref) } }),
  } as HookPayload
}
