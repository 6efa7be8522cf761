import { maySeePerson, subjectOf } from '@/server/access'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { readEvent } from '@/server/kernel/events/catalogue'
import { wireTime } from '@/server/kernel/wire'
import { viewRepositories } from '@/server/repos'
import type { Repository } from '@/server/repos/schema'
import { selectAccounts, viewUser } from '@/server/users'
import { describeEvent } from './describe-event'
import { ghost } from './ghost'
import type { Activity } from './schema'
import type { FeedRow } from './store'

/**
 * Events as entries of a feed, in their order, with three lookups for all of them. A person's feed is theirs wherever
 * they did something; any other entry is its repository's owner's.
 */
export async function viewActivities(
  ctx: ServiceCtx,
  rows: readonly FeedRow[],
  personId: number | undefined,
): Promise<Activity[]> {
  const actors = await selectAccounts(
    ctx.db,
    rows.flatMap(row => row.actor_id ?? []),
  )
  const distinct = new Map(rows.map(row => [row.repository.id, row.repository]))
  const repositories = await viewRepositories(ctx, [...distinct.values()])
  const shown = new Map(repositories.map(repository => [repository.id, repository]))
  return rows.flatMap(row => {
    const repo = shown.get(row.repository.id)
    const event = readEvent(row)
    const entry = repo && event && describeEvent(event, repo.full_name)
    if (!entry) return []
    const actor = actors.get(row.actor_id ?? 0)
    const isShown = actor && (worksIn(repo) || maySeePerson(subjectOf(ctx.caller), actor))
    const act_user = isShown ? viewUser(actor, ctx.caller, ctx.config.baseUrl) : ghost(ctx.config.baseUrl)
    return [
      {
        id: row.id,
        user_id: personId ?? row.repository.owner_id,
        act_user_id: act_user.id,
        act_user,
        repo_id: repo.id,
        repo,
        comment_id: 0,
        comment: null,
        is_private: repo.private,
        created: wireTime(row.created_at),
        ...entry,
      },
    ]
  })
}

// Who works on a repository together knows each other, hidden or not.
const worksIn = (repo: Repository): boolean => repo.private || repo.permissions.push
