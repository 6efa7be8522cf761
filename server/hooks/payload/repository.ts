import type { ServiceCtx } from '@/server/kernel/ctx'
import type { Repository } from '@/server/repos/schema'
import { lookupsOf } from './lookups'
import { repositoryState, viewPerson } from './state'
import { type EventOf, type HookPayload, payload } from './types'

export async function repositoryChanged(
  ctx: ServiceCtx,
  event: EventOf<'repository.created' | 'repository.transferred'>,
): Promise<HookPayload | undefined> {
  const found = await repositoryState(ctx, event, event.facts.repositoryId)
  if (!found) return undefined
  const { repository, owner, sender } = found
  const action = event.kind === 'repository.created' ? 'created' : 'transferred'
  return payload('repository', { action, repository, organization: owner, sender })
}

export async function repositoryDeleted(
  ctx: ServiceCtx,
  { actorId, facts }: EventOf<'repository.deleted'>,
): Promise<HookPayload | undefined> {
  const repository = facts.shown as Repository | undefined
  if (!repository) return undefined
  const accounts = await lookupsOf(ctx.db).accounts(actorId === null ? [] : [actorId])
  const sender = viewPerson(ctx, accounts.get(actorId ?? 0))
  return payload('repository', { action: 'deleted', repository, organization: repository.owner, sender })
}
