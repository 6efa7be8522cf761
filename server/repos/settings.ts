import { z } from 'zod'

const mergeStyles = ['merge', 'rebase', 'rebase-merge', 'squash', 'fast-forward-only'] as const

/** Switches of a repository that its administrators can turn, with what holds until they do. */
export const RepositorySettings = z.object({
  has_issues: z.boolean().default(true),
  has_wiki: z.boolean().default(true),
  has_pull_requests: z.boolean().default(true),
  has_projects: z.boolean().default(true),
  projects_mode: z.enum(['repo', 'owner', 'all']).default('all'),
  has_releases: z.boolean().default(true),
  has_packages: z.boolean().default(true),
  has_actions: z.boolean().default(true),
  ignore_whitespace_conflicts: z.boolean().default(false),
  allow_merge_commits: z.boolean().default(true),
  allow_rebase: z.boolean().default(true),
  allow_rebase_explicit: z.boolean().default(true),
  allow_squash_merge: z.boolean().default(true),
  allow_fast_forward_only_merge: z.boolean().default(true),
  allow_merge_update: z.boolean().default(true),
  allow_rebase_update: z.boolean().default(true),
  allow_manual_merge: z.boolean().default(false),
  autodetect_manual_merge: z.boolean().default(false),
  default_delete_branch_after_merge: z.boolean().default(false),
  default_merge_style: z.enum(mergeStyles).default('merge'),
  default_update_style: z.enum(['merge', 'rebase']).default('merge'),
  default_allow_maintainer_edit: z.boolean().default(false),
})
export type RepositorySettings = z.output<typeof RepositorySettings>

/** What is stored, filled up with the defaults. */
export function readSettings(stored: unknown): RepositorySettings {
  return RepositorySettings.parse(stored)
}
