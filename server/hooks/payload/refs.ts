import type { ServiceCtx } from '@/server/kernel/ctx'
import { shortRef } from '@/server/kernel/git/ref-names'
import { repositoryState } from './state'
import { type EventOf, type HookPayload, payload } from './types'

export async function refCreated(
  ctx: ServiceCtx,
  event: EventOf<'ref.created'>,
): Promise<HookPayload | undefined> {
  const { repositoryId, ref, refType = 'branch', sha = '', deployKey } = event.facts
  const found = ref && (await repositoryState(ctx, { ...event, deployKey }, repositoryId))
  if (!found) return undefined
  // Like Gitea, which shows all permissions as false only in this payload.
  const repository = { ...found.repository, permissions: { admin: false, push: false, pull: false } }
  const body = { sha, ref: shortRef(ref), ref_type: refType, repository, sender: found.sender }
  return payload('create', body, ref)
}

export async function refDeleted(
  ctx: ServiceCtx,
  event: EventOf<'ref.deleted'>,
): Promise<HookPayload | undefined> {
  const { repositoryId, ref, refType = 'branch', deployKey } = event.facts
  const found = ref && (await repositoryState(ctx, { ...event, deployKey }, repositoryId))
  if (!found) return undefined
  const { repository, sender } = found
  const pusher_type = deployKey ? 'deploy_key' : 'user'
  const body = { ref: shortRef(ref), ref_type: refType, pusher_type, repository, sender } as const
  return payload('delete', body, ref)
}
