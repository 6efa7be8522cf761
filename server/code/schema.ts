import { z } from 'zod'
import { pageInput, pageOf } from '@/server/kernel/pagination'
import { lenientFlag, queryText, treePath, wireTimeSchema } from '@/server/kernel/wire'
import { Verification } from '@/server/repos/refs/schema'
import { RepoPath } from '@/server/repos/schema'
import { User } from '@/server/users/schema'
import { ChangedFile, CommitStats } from './diff/schema'

const ref = queryText
  .optional()
  .describe('Name of a branch or tag, or a full commit ID. The default branch if absent.')

export const RootPath = RepoPath.extend({ ref })
export const ContentsPath = RepoPath.extend({ path: treePath, ref })

export const Contents = z
  .object({
    name: z.string(),
    path: z.string(),
    sha: z.string().describe('ID of the blob, tree, or, for a submodule, commit.'),
    type: z.enum(['file', 'dir', 'symlink', 'submodule']),
    size: z.int(),
    encoding: z.literal('base64').nullable(),
    content: z
      .string()
      .nullable()
      .describe('Content in Base64. Null in the list of a directory, and for files above 10 MiB.'),
    target: z.string().nullable().describe('Target of a symbolic link, as it is written.'),
    submodule_git_url: z.string().nullable(),
    url: z.string(),
    html_url: z.string().nullable(),
    git_url: z.string().nullable(),
    download_url: z.string().nullable(),
    _links: z.object({ self: z.string(), git: z.string().nullable(), html: z.string().nullable() }),
    last_commit_sha: z
      .string()
      .nullable()
      .describe('ID of the last commit that changed the entry; null while the server is looking for it.'),
    lfs_oid: z.string().optional(),
    lfs_size: z.int().optional(),
  })
  .meta({ id: 'ContentsResponse' })
export type Contents = z.output<typeof Contents>

const maxTreeEntries = 1000

export const TreePath = RepoPath.extend({
  sha: treePath,
  recursive: lenientFlag.describe('Whether to list the entries of all directories.'),
  page: pageInput.page,
  per_page: z
    .union([z.number(), queryText])
    .optional()
    .transform(value => Math.min(Math.max(Math.floor(Number(value)) || maxTreeEntries, 1), maxTreeEntries))
    .meta({ override: { type: 'integer', minimum: 1, maximum: maxTreeEntries, default: maxTreeEntries } }),
})

export const GitTree = z
  .object({
    sha: z.string(),
    url: z.string(),
    tree: z.array(
      z.object({
        path: z.string(),
        mode: z.string(),
        type: z.enum(['blob', 'tree', 'commit']),
        size: z.int(),
        sha: z.string(),
        url: z.string(),
      }),
    ),
    truncated: z.boolean().describe('Whether there are more pages.'),
    page: z.int(),
    total_count: z.int(),
  })
  .meta({ id: 'GitTreeResponse' })
export type GitTree = z.output<typeof GitTree>

export const ObjectPath = RepoPath.extend({ sha: z.string().max(100) })

export const GitBlob = z
  .object({
    content: z.string().nullable().describe('Content in Base64; null for blobs above 10 MiB.'),
    encoding: z.literal('base64').nullable(),
    url: z.string(),
    sha: z.string(),
    size: z.int(),
    lfs_oid: z.string().optional(),
    lfs_size: z.int().optional(),
  })
  .meta({ id: 'GitBlobResponse' })
export type GitBlob = z.output<typeof GitBlob>

export const RefPrefixPath = RepoPath.extend({ ref: treePath })

export const GitRef = z
  .object({
    ref: z.string(),
    url: z.string(),
    object: z.object({ type: z.string(), sha: z.string(), url: z.string() }),
  })
  .meta({ id: 'Reference' })
export type GitRef = z.output<typeof GitRef>

const Person = z.object({ name: z.string(), email: z.string(), date: wireTimeSchema })
const CommitMeta = z.object({ url: z.string(), sha: z.string(), created: wireTimeSchema })

export const AnnotatedTag = z
  .object({
    tag: z.string(),
    sha: z.string(),
    url: z.string(),
    message: z.string(),
    tagger: Person,
    object: z.object({ type: z.string(), url: z.string(), sha: z.string() }),
    verification: Verification,
  })
  .meta({ id: 'AnnotatedTag' })
export type AnnotatedTag = z.output<typeof AnnotatedTag>

export const Commit = z
  .object({
    ...CommitMeta.shape,
    html_url: z.string(),
    commit: z.object({
      url: z.string(),
      author: Person,
      committer: Person,
      message: z.string(),
      tree: CommitMeta,
      verification: Verification.nullable(),
    }),
    author: User.nullable().describe(
      'The account that shows this email address, or whose no-reply address it is.',
    ),
    committer: User.nullable(),
    parents: z.array(CommitMeta),
    files: z.array(ChangedFile).nullable(),
    stats: CommitStats.nullable(),
  })
  .meta({ id: 'Commit' })
export type Commit = z.output<typeof Commit>

const parts = {
  stat: lenientFlag.describe('Whether to count changed lines; true by default.'),
  verification: lenientFlag.describe('Whether to include the signature; true by default.'),
  files: lenientFlag.describe('Whether to list changed files; true by default.'),
}

export const CommitPath = RepoPath.extend({ sha: treePath, ...parts })

const time = queryText.optional().meta({ override: { type: 'string', format: 'date-time' } })

export const ListCommitsInput = RepoPath.extend({
  ...pageInput,
  ...parts,
  sha: queryText.optional().describe('A branch, tag, or commit to start from. The default branch if absent.'),
  path: queryText.optional().describe('A file or directory that the commits changed.'),
  since: time.describe('Only commits after this time.'),
  until: time.describe('Only commits before this time.'),
  not: queryText.optional().describe('Leaves out commits that can be reached from this revision.'),
})
export type ListCommitsInput = z.output<typeof ListCommitsInput>

export const CommitPage = pageOf(Commit)

export const ComparePath = RepoPath.extend({
  basehead: treePath,
  output: queryText
    .optional()
    // A request with one of them is answered by `api/diffs`.
    .refine(value => !value, 'The output must be diff or patch.')
    .describe('Whether to return text that `git apply` (diff) or `git am` (patch) reads.')
    .meta({ override: { type: 'string', enum: ['diff', 'patch'] } }),
})

export const Comparison = z
  .object({ total_commits: z.int(), commits: z.array(Commit) })
  .meta({ id: 'Compare' })
export type Comparison = z.output<typeof Comparison>

export const Languages = z.record(z.string(), z.int()).meta({ id: 'LanguageStatistics' })
export const ListInput = RepoPath.extend(pageInput)
export const PullRequestPage = pageOf(z.object({ id: z.int(), name: z.string() }))
