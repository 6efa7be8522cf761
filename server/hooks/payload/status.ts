import type { ServiceCtx } from '@/server/kernel/ctx'
import { wireTime } from '@/server/kernel/wire'
import { findStatus, targetUrlOf } from '@/server/statuses'
import { readPushedCommits } from './commits'
import { commitViewer } from './push'
import { repositoryState } from './state'
import { type EventOf, type HookPayload, payload } from './types'

/** Builds the payload of a commit status with its commit. */
export async function statusCreated(
  ctx: ServiceCtx,
  event: EventOf<'status.created'>,
): Promise<HookPayload | undefined> {
  const { repositoryId = 0, sha = '', number = 0 } = event.facts
  const status = await findStatus(ctx.db, { repositoryId, sha, number })
  if (!status) return undefined
  // Events of runs have no actor; their statuses name the person who caused the run.
  const actorId = event.actorId ?? status.creator_id
  const found = await repositoryState(ctx, { ...event, actorId }, repositoryId)
  if (!found?.row || !found.account) return undefined
  const { repository, row, account, sender } = found
  const { commits } = await readPushedCommits(ctx, { storageKey: row.storage_key, ids: [sha] })
  const commit = commits.get(sha)
  const created_at = wireTime(status.created_at)
  return payload('status', {
    id: number,
    sha,
    context: status.context,
    state: status.state,
    description: status.description,
    target_url: targetUrlOf(ctx.config.baseUrl, { repository: row, owner: account }, status),
    created_at,
    updated_at: created_at,
    commit: commit ? (await commitViewer(ctx, repository, [commit]))(commit) : null,
    repository,
    sender,
  })
}
