import { maySeePerson, subjectOf } from '@/server/access'
import { jobOfEvent, readEvent, type StoredEvent } from '@/server/events'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { wireTime } from '@/server/kernel/wire'
import { viewRepositories } from '@/server/repos'
import type { Repository } from '@/server/repos/schema'
import { selectAccounts, viewDeployKeyActor, viewGhost, viewJobActor, viewUser } from '@/server/users'
import { feedEntryOf } from './feed-entry'
import type { Activity } from './schema'
import { type FeedRow, selectVisibleNames } from './store'

interface FeedView {
  /**
   * The person whose feed it is, who is then the `user_id` of every entry; otherwise, it is the repository's
   * owner.
   */
  personId?: number | undefined
  /** All repositories of the entries, as the caller sees them; loaded if absent. */
  repositories?: readonly Repository[] | undefined
}

/** Converts events to feed entries in the same order, with at most five queries in total. */
export async function viewActivities(
  ctx: ServiceCtx,
  rows: readonly FeedRow[],
  { personId, repositories }: FeedView,
): Promise<Activity[]> {
  const actors = await selectAccounts(
    ctx.db,
    rows.flatMap(row => row.actor_id ?? []),
  )
  const distinct = new Map(rows.map(row => [row.repository.id, row.repository]))
  const known = repositories ?? (await viewRepositories(ctx, [...distinct.values()]))
  const shown = new Map(known.map(repository => [repository.id, repository]))
  const events = rows.map(row => readEvent(row))
  const names = await selectVisibleNames(ctx.db, subjectOf(ctx.caller), events.flatMap(formerOwnerOf))
  return rows.flatMap((row, index) => {
    const repo = shown.get(row.repository.id)
    const event = events[index]
    const entry = repo && event && feedEntryOf(event, repo.full_name, names)
    if (!entry) return []
    const actor = actors.get(row.actor_id ?? 0)
    const isShown = actor && (worksIn(repo) || maySeePerson(subjectOf(ctx.caller), actor))
    const deployKey = 'deployKey' in event.facts ? event.facts.deployKey : undefined
    const job = jobOfEvent(event)
    const byProgram = job
      ? viewJobActor(ctx, job)
      : deployKey
        ? viewDeployKeyActor(ctx, deployKey)
        : undefined
    const act_user = byProgram ?? (isShown ? viewUser(ctx, actor) : viewGhost(ctx))
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

const formerOwnerOf = (event: StoredEvent | undefined): number[] =>
  event?.kind === 'repository.transferred' && event.facts.fromId ? [event.facts.fromId] : []

// People who work on the same repository can see each other, even if their account is hidden.
const worksIn = (repo: Repository): boolean => repo.private || repo.permissions.push
