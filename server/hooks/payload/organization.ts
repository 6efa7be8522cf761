import type { ServiceCtx } from '@/server/kernel/ctx'
import type { Organization } from '@/server/orgs/schema'
import type { OrganizationBody } from './bodies'
import { lookupsOf } from './lookups'
import { type EventOwner, organizationState, viewPerson } from './state'
import { type EventOf, type HookPayload, payload } from './types'

export const orgCreated = (
  ctx: ServiceCtx,
  event: EventOf<'org.created'>,
): Promise<HookPayload | undefined> => build(ctx, event, { action: 'created' })

export function orgEdited(ctx: ServiceCtx, event: EventOf<'org.edited'>): Promise<HookPayload | undefined> {
  const { changed = '' } = event.facts
  return build(ctx, event, { action: 'edited', changes: { fields: changed.split(' ').filter(Boolean) } })
}

export function orgRenamed(ctx: ServiceCtx, event: EventOf<'org.renamed'>): Promise<HookPayload | undefined> {
  const { from = '' } = event.facts
  return build(ctx, event, { action: 'renamed', changes: { name: { from } } })
}

async function build(
  ctx: ServiceCtx,
  event: EventOwner,
  change: Pick<OrganizationBody, 'action' | 'changes'>,
): Promise<HookPayload | undefined> {
  const found = await organizationState(ctx, event)
  if (!found) return undefined
  const { organization, sender } = found
  return payload('organization', { ...change, organization, sender })
}

export async function orgDeleted(
  ctx: ServiceCtx,
  { actorId, facts }: EventOf<'org.deleted'>,
): Promise<HookPayload | undefined> {
  const organization = facts.shown as Organization | undefined
  if (!organization) return undefined
  const accounts = await lookupsOf(ctx.db).accounts(actorId === null ? [] : [actorId])
  const sender = viewPerson(ctx, accounts.get(actorId ?? 0))
  return payload('organization', { action: 'deleted', organization, sender })
}

export async function orgMemberChanged(
  ctx: ServiceCtx,
  event: EventOf<'org.member_added' | 'org.member_removed'>,
): Promise<HookPayload | undefined> {
  const { memberId: id, member: name } = event.facts
  const found = await organizationState(ctx, event, id)
  if (!found) return undefined
  const { organization, sender } = found
  const action = event.kind === 'org.member_added' ? 'member_added' : 'member_removed'
  return payload('organization', { action, member: found.person({ id, name }), organization, sender })
}
