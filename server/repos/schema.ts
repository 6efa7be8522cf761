import { z } from 'zod'
import { pageOf } from '@/server/kernel/pagination'
import { id, pathText, wireTimeSchema } from '@/server/kernel/wire'
import { User } from '@/server/users/schema'

const wireId = z.int().meta({ override: { type: 'integer', format: 'int64' } })

/** What the caller may do: `push` and `pull` on the code, `admin` on the whole. */
export const Permission = z
  .object({ admin: z.boolean(), push: z.boolean(), pull: z.boolean() })
  .meta({ id: 'Permission' })

export const Repository = z
  .object({
    id: wireId,
    owner: User,
    name: z.string(),
    full_name: z.string(),
    description: z.string(),
    empty: z.boolean(),
    private: z.boolean(),
    fork: z.boolean(),
    template: z.boolean(),
    mirror: z.boolean(),
    size: z.int().describe('KiB'),
    language: z.string(),
    languages_url: z.string(),
    html_url: z.string(),
    url: z.string(),
    link: z.string(),
    ssh_url: z.string(),
    clone_url: z.string(),
    original_url: z.string(),
    website: z.string(),
    stars_count: z.int(),
    forks_count: z.int(),
    watchers_count: z.int(),
    branch_count: z.int(),
    open_issues_count: z.int(),
    open_pr_counter: z.int(),
    release_counter: z.int(),
    default_branch: z.string(),
    archived: z.boolean(),
    created_at: wireTimeSchema,
    updated_at: wireTimeSchema,
    archived_at: wireTimeSchema,
    permissions: Permission,
    has_code: z.boolean(),
    has_issues: z.boolean(),
    internal_tracker: z
      .object({
        enable_time_tracker: z.boolean(),
        allow_only_contributors_to_track_time: z.boolean(),
        enable_issue_dependencies: z.boolean(),
      })
      .optional(),
    has_wiki: z.boolean(),
    has_pull_requests: z.boolean(),
    has_projects: z.boolean(),
    projects_mode: z.string(),
    has_releases: z.boolean(),
    has_packages: z.boolean(),
    has_actions: z.boolean(),
    ignore_whitespace_conflicts: z.boolean(),
    allow_merge_commits: z.boolean(),
    allow_rebase: z.boolean(),
    allow_rebase_explicit: z.boolean(),
    allow_squash_merge: z.boolean(),
    allow_fast_forward_only_merge: z.boolean(),
    allow_merge_update: z.boolean(),
    allow_rebase_update: z.boolean(),
    allow_manual_merge: z.boolean(),
    autodetect_manual_merge: z.boolean(),
    default_delete_branch_after_merge: z.boolean(),
    default_merge_style: z.string(),
    default_update_style: z.string(),
    default_allow_maintainer_edit: z.boolean(),
    avatar_url: z.string(),
    internal: z.boolean(),
    mirror_interval: z.string(),
    object_format_name: z.enum(['sha1', 'sha256']),
    mirror_updated: wireTimeSchema,
    mirror_last_sync_at: wireTimeSchema,
    topics: z.array(z.string()),
    licenses: z.array(z.string()),
  })
  .meta({ id: 'Repository' })
export type Repository = z.output<typeof Repository>
export const RepositoryPage = pageOf(Repository)

export const RepoPath = z.object({ owner: pathText, repo: pathText })
export const RepoIdPath = z.object({ id })
