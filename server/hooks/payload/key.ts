import type { ServiceCtx } from '@/server/kernel/ctx'
import { findKey, viewKey } from '@/server/keys'
import type { PublicKey } from '@/server/keys/schema'
import { lookupsOf } from './lookups'
import { shownAtDeletion, viewPerson } from './state'
import { type EventOf, type HookPayload, payload } from './types'

export async function keyChanged(
  ctx: ServiceCtx,
  event: EventOf<'key.added' | 'key.removed'>,
): Promise<HookPayload | undefined> {
  const { actorId, ownerId } = event
  const accounts = await lookupsOf(ctx.db).accounts([actorId, ownerId].flatMap(id => id ?? []))
  const owner = accounts.get(ownerId ?? 0)
  const key = owner && (await keyOf(ctx, event))
  if (!key) return undefined
  const action = event.kind === 'key.added' ? 'created' : 'deleted'
  const [user, sender] = [viewPerson(ctx, owner), viewPerson(ctx, accounts.get(actorId ?? 0))]
  return payload('key', { action, key, user, sender })
}

async function keyOf(
  ctx: ServiceCtx,
  event: EventOf<'key.added' | 'key.removed'>,
): Promise<PublicKey | undefined> {
  if (event.kind === 'key.removed') return event.facts.shown as PublicKey | undefined
  const { keyId } = event.facts
  const row = keyId === undefined ? undefined : await findKey(ctx.db, keyId)
  return row ? viewKey(ctx, row) : await shownAtDeletion<PublicKey>(ctx.db, event, 'key.removed', { keyId })
}
