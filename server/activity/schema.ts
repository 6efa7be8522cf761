import { z } from 'zod'
import { pageInput, pageOf } from '@/server/kernel/pagination'
import { id, lenientFlag, pathText, queryText, wireId, wireTimeSchema } from '@/server/kernel/wire'
import { RepoPath, Repository, RepositoryHome } from '@/server/repos/schema'
import { User } from '@/server/users/schema'

export const activityKinds = [
  'create_repo',
  'transfer_repo',
  'commit_repo',
  'push_tag',
  'delete_branch',
  'delete_tag',
  'publish_release',
] as const

/**
 * An entry of an activity feed. `user_id` is the person whose feed it is or, in other feeds, the repository's
 * owner. `content` is JSON with the commits of a push, or the former `owner/name` of a transferred
 * repository.
 */
export const Activity = z
  .object({
    id: wireId,
    user_id: wireId,
    op_type: z.enum(activityKinds),
    act_user_id: wireId,
    act_user: User,
    repo_id: wireId,
    repo: Repository,
    comment_id: wireId,
    comment: z.null(),
    ref_name: z.string(),
    is_private: z.boolean(),
    content: z.string(),
    created: wireTimeSchema,
  })
  .meta({ id: 'Activity' })
export type Activity = z.output<typeof Activity>
export const ActivityPage = pageOf(Activity)

// A value that is not a valid date is ignored.
const date = queryText
  .transform(text => (/^\d{4}-\d{2}-\d{2}$/.test(text) && isCalendarDay(text) ? text : undefined))
  .optional()
  .meta({ override: { type: 'string', format: 'date' }, description: 'Only activity on this day (UTC).' })

function isCalendarDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

const feed = { date, ...pageInput }

/** Data of a repository's home page. */
export const RepositoryHomePage = RepositoryHome.extend({
  /** Latest activity, and whether there is `more`; null for an empty repository. */
  latest: z.object({ items: z.array(Activity), more: z.boolean() }).nullable(),
})
export type RepositoryHomePage = z.output<typeof RepositoryHomePage>

export const RepositoryHomeInput = RepoPath
export const MyFeedInput = z.object(pageInput)
export const TeamFeedInput = z.object({ id, ...feed })
export const OrgFeedInput = z.object({ org: pathText, ...feed })
export const UserFeedInput = z.object({ username: pathText, 'only-performed-by': lenientFlag, ...feed })
export const RepositoryFeedInput = z.object({ owner: pathText, repo: pathText, ...feed })

/** What a new person has already done. */
export const FirstSteps = z.object({
  /** An SSH key or access token that is valid. */
  has_credential: z.boolean(),
  has_repository: z.boolean(),
  has_pushed: z.boolean(),
})
export type FirstSteps = z.output<typeof FirstSteps>
