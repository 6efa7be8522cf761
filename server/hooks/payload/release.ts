import type { ServiceCtx } from '@/server/kernel/ctx'
import { findRelease, viewRelease } from '@/server/releases'
import type { Release } from '@/server/releases/schema'
import { type RepositoryState, repositoryState, shownAtDeletion } from './state'
import { type EventOf, type HookPayload, payload } from './types'

type ReleaseEvent = EventOf<
  'release.published' | 'release.updated' | 'release.unpublished' | 'release.deleted'
>

const actions = {
  'release.published': 'published',
  'release.updated': 'updated',
  // Only workflows get this.
  'release.unpublished': 'updated',
  'release.deleted': 'deleted',
} as const

export async function releaseChanged(ctx: ServiceCtx, event: ReleaseEvent): Promise<HookPayload | undefined> {
  const found = await repositoryState(ctx, event, event.facts.repositoryId)
  const release = found && (await releaseOf(ctx, event, found))
  if (!release) return undefined
  const { repository, sender } = found
  return payload('release', { action: actions[event.kind], release, repository, sender })
}

// A release that has become a draft again is not sent.
async function releaseOf(
  ctx: ServiceCtx,
  event: ReleaseEvent,
  { row: repository, owner }: RepositoryState,
): Promise<Release | undefined> {
  if (event.kind === 'release.deleted') return event.facts.shown as Release | undefined
  const { releaseId } = event.facts
  const row = repository && releaseId ? await findRelease(ctx.db, repository.id, releaseId) : undefined
  if (!row) return await shownAtDeletion<Release>(ctx.db, event, 'release.deleted', { releaseId })
  if (!repository || row.is_draft !== (event.kind === 'release.unpublished')) return undefined
  return await viewRelease(ctx, { repository, owner: { name: owner.login } }, row)
}
