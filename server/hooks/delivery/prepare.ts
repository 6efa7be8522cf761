import type { ClaimedEvent, EventKind } from '@/server/events'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { compress } from '@/server/kernel/gzip'
import type { HookPayload } from '../payload/types'
import type { SkipReason } from '../trace'
import { type CandidateHook, concerns, decide, whyUnwanted } from './match'

/** Functions with which the webhook dispatcher builds and formats payloads. Tests pass their own. */
export interface Makers {
  /**
   * Returns the type that webhooks subscribe to for a kind of event; undefined if no webhook can receive the
   * kind.
   */
  hookTypeOf(kind: EventKind): string | undefined
  payloadOf(ctx: ServiceCtx, event: ClaimedEvent): Promise<HookPayload | undefined>
  formatBody(
    type: string,
    payload: HookPayload,
    options: Record<string, string>,
  ): { body: string } | { skipped: 'no_commits' }
}

/**
 * A webhook that could receive an event, with the compressed request body or the reason for sending nothing.
 */
export type Considered = { hook: CandidateHook } & ({ skipped: SkipReason } | { body: Buffer })

/**
 * An event with its payload and, for each webhook that could receive the event, the request body or the
 * reason for sending nothing. Not yet written to the database.
 */
export interface Prepared<Event extends ClaimedEvent = ClaimedEvent> {
  event: Event
  payload: HookPayload | undefined
  considered: Considered[]
}

/**
 * Decides which of these webhooks receive an event and compresses the bodies with gzip, one shared buffer per
 * distinct body. May run Git, so it must not be called in a transaction.
 */
export async function prepareEvent<Event extends ClaimedEvent>(
  ctx: ServiceCtx,
  { hookTypeOf, payloadOf, formatBody }: Makers,
  event: Event,
  hooks: readonly CandidateHook[],
): Promise<Prepared<Event>> {
  const concerned = hooks.filter(hook => concerns(hook, event))
  const type = hookTypeOf(event.kind)
  const isWanted = concerned.some(hook => whyUnwanted(hook, type) === undefined)
  const payload = isWanted ? await payloadOf(ctx, event) : undefined
  const bodies = new Map<string, Promise<Buffer>>()
  const compressed = (body: string): Promise<Buffer> => {
    const known = bodies.get(body) ?? compress(body)
    bodies.set(body, known)
    return known
  }
  const formats = new Map<string, ReturnType<typeof formatBody>>()
  const formatted = (made: HookPayload, { type, options }: CandidateHook): ReturnType<typeof formatBody> => {
    const key = JSON.stringify([type, options])
    const known = formats.get(key) ?? formatBody(type, made, options)
    formats.set(key, known)
    return known
  }
  const considered = concerned.map(async (hook): Promise<Considered> => {
    const decided = decide(hook, type, payload, formatted)
    return 'skipped' in decided ? { hook, ...decided } : { hook, body: await compressed(decided.body) }
  })
  return { event, payload, considered: await Promise.all(considered) }
}
