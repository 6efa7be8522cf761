import { z } from 'zod'
import { maxBrowsePageSize } from '@/server/kernel/pagination'
import { line, treePath, wireTimeSchema } from '@/server/kernel/wire'
import { RepoPath } from '@/server/repos/schema'
import type { Diff } from '../diff/schema'

/** A commit as one line of a list. */
export const CommitLine = z.object({
  sha: z.string(),
  summary: z.string(),
  author: z.string(),
  /** Username of the author's account, if it shows the email address of the commit. */
  username: z.string().nullable(),
  avatar: z.string().nullable(),
  time: wireTimeSchema,
})
export type CommitLine = z.output<typeof CommitLine>

const Revision = z.object({
  kind: z.enum(['branch', 'tag', 'commit']),
  name: z.string(),
  commit: z.string(),
})
export type ShownRevision = z.output<typeof Revision>

const LastCommit = z.object({ sha: z.string(), summary: z.string(), time: wireTimeSchema })
export type LastCommit = z.output<typeof LastCommit>

const Entry = z.object({
  name: z.string(),
  type: z.enum(['dir', 'file', 'symlink', 'submodule']),
  /** The commit of a submodule, abbreviated. */
  at: z.string().nullable(),
  last: LastCommit.nullable(),
})
export type ShownEntry = z.output<typeof Entry>

/** The key of a text's HTML, why it is shown plain, and whether it contains invisible characters. */
const RenderedText = z.object({ key: z.string(), plain: z.string().nullable(), hasInvisible: z.boolean() })

const Directory = z.object({
  kind: z.literal('directory'),
  entries: z.array(Entry),
  /** Number of entries, of which only the first ones are shown. */
  total: z.int(),
  /** `key` is that of the HTML in `pageTexts`, as everywhere. */
  readme: RenderedText.extend({ name: z.string() }).nullable(),
})

const File = z.object({
  kind: z.literal('file'),
  name: z.string(),
  /** ID of the blob. */
  id: z.string(),
  size: z.int(),
  isExecutable: z.boolean(),
  symlink: z.string().nullable(),
  lfs: z.object({ oid: z.string(), size: z.int() }).nullable(),
  language: z.string().nullable(),
  /** How the content can be shown. */
  as: z.enum(['text', 'image', 'audio', 'video', 'pdf', 'binary', 'large', 'empty']),
  /** The lines and their number. */
  text: RenderedText.extend({ lines: z.int() }).nullable(),
  /** A Markdown file. */
  markdown: RenderedText.nullable(),
})
export type ShownFile = z.output<typeof File>

export const CodePage = z.object({
  revision: Revision,
  /** Path of the file or directory; empty for the root. */
  path: z.string(),
  /** The last commit that changed what is shown. */
  tip: CommitLine.nullable(),
  /** Whether the last commits are all that can be found; otherwise, more of them are known later. */
  isComplete: z.boolean(),
  /** Number of commits of the revision; null if counting takes too long. */
  commits: z.int().nullable(),
  content: z.discriminatedUnion('kind', [Directory, File]),
})
export type CodePage = z.output<typeof CodePage>

const LanguageShare = z.object({
  /** `Other` for the rest. */
  name: z.string(),
  /** CSS color; null for the rest. */
  color: z.string().nullable(),
  /** Of the bytes, with one decimal. */
  percent: z.number(),
})
export type LanguageShare = z.output<typeof LanguageShare>
export const LanguageShares = z.array(LanguageShare)

export const CodeRoot = z.object({
  page: CodePage.nullable(),
  isUnreadable: z.boolean(),
  /** Files with licenses, and the SPDX identifiers of the common ones. */
  licenses: z.array(z.object({ name: z.string(), license: z.string().nullable() })),
  /** The languages with the most bytes, most first, and the rest; null if they are not known yet. */
  languages: LanguageShares.nullable(),
})
export type CodeRoot = z.output<typeof CodeRoot>

const Kind = z.enum(['branch', 'tag', 'commit', 'any'])
/** The kind of revision with which a path begins. */
export type CodeKind = z.output<typeof Kind>

export const ShowPathInput = RepoPath.extend({
  /** Undefined for the root of the default branch. */
  kind: Kind.optional(),
  path: treePath,
  /** Whether to show the source of a file that is shown formatted by default. */
  source: z.boolean().default(false),
})

/**
 * A path that leads nowhere: the revision with which it begins, if there is one, and the rest. If it begins with the
 * former name of a branch, `renamed` is its present name and the rest.
 */
export const MissingCode = z.object({
  revision: Revision.nullable(),
  path: z.string(),
  renamed: z.object({ from: z.string(), to: z.string(), path: z.string() }).nullable(),
})
export type MissingCode = z.output<typeof MissingCode>

export const LastCommitsInput = RepoPath.extend({
  commit: z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/),
  path: z.string().max(4096),
})
export const LastCommits = z.record(z.string(), LastCommit)

export const CommitListInput = RepoPath.extend({
  kind: Kind,
  path: treePath,
  page: z.int().min(1).max(1_000_000).default(1),
  author: line(254).default(''),
})

export const CommitListPage = z.object({
  revision: Revision,
  path: z.string(),
  total: z.int().nullable(),
  page: z.int(),
  limit: z.int(),
  commits: z.array(CommitLine),
})
export type CommitListPage = z.output<typeof CommitListPage>

export const PathList = z.object({
  paths: z.array(z.string()),
  isWhole: z.boolean(),
})

const DiffInput = RepoPath.extend({
  ignoreWhitespace: z.boolean().default(false),
  files: z.array(line(4096).min(1)).max(2).default([]),
})
export const ShowCommitInput = DiffInput.extend({ sha: treePath })
export const ShowComparisonInput = DiffInput.extend({ basehead: treePath })

/** A comparison under the present names of its branches, and the former name of one of them. */
export const RenamedComparison = z.object({
  base: z.string(),
  head: z.string(),
  isDirect: z.boolean(),
  from: z.string(),
})
export type RenamedComparison = z.output<typeof RenamedComparison>

export const CommitPage = z.object({
  line: CommitLine,
  /** Message without its first line. */
  body: z.string(),
  parents: z.array(z.string()),
  authored: wireTimeSchema,
  /** Name of the committer, if it is not the author. */
  committer: z.string().nullable(),
  isSigned: z.boolean(),
})
export type CommitPage = z.output<typeof CommitPage>

export const ComparePage = z.object({
  base: Revision,
  head: Revision,
  /** Whether both revisions are compared as they are, and not from where their histories part. */
  isDirect: z.boolean(),
  /** Whether the histories have nothing in common. */
  isUnrelated: z.boolean(),
  /** Number of commits that only `head` has, and of those that only `base` has. */
  total: z.int(),
  behind: z.int(),
  /** The newest of the commits that only `head` has. */
  commits: z.array(CommitLine),
})
export type ComparePage = z.output<typeof ComparePage>

// A diff has too many lines to be checked each time.
const withDiff = { diff: z.custom<Diff>() }
export const ShownCommit = CommitPage.extend(withDiff)
export const ShownComparison = ComparePage.extend(withDiff)

/** Branches to compare with the default branch. */
export const DivergenceInput = z.object({
  branches: z.array(line(4096)).max(maxBrowsePageSize),
  /** Whether to wait until everything is counted. */
  waits: z.boolean(),
})
export type DivergenceInput = z.output<typeof DivergenceInput>

/** By how many commits a branch is ahead of the default branch and behind it; 1,001 stands for more than 1,000. */
export const Divergence = z.object({ ahead: z.int(), behind: z.int() })
export type Divergence = z.output<typeof Divergence>

/** The counts in the order of the branches, and whether a later call finds no more. */
export const Divergences = z.object({ counts: z.array(Divergence.nullable()), isFinal: z.boolean() })
export type Divergences = z.output<typeof Divergences>
