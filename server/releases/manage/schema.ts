import { z } from 'zod'
import { pageInput, pageOf } from '@/server/kernel/pagination'
import { queryText, wireId, wireTimeSchema } from '@/server/kernel/wire'
import { RepoPath } from '@/server/repos/schema'

const Person = z.object({ id: wireId, login: z.string() })

/** A file of a release as pages show it. */
export const ShownAsset = z.object({
  id: wireId,
  name: z.string(),
  /**
   * Whether the download URL that contains the file's name serves this file. If several files have the name,
   * only the newest does.
   */
  has_name: z.boolean(),
  /** The size in bytes. */
  size: z.int(),
  /** The SHA-256 digest as 64 hexadecimal digits. */
  sha256: z.string(),
  download_count: z.int(),
  created_at: wireTimeSchema,
  /** The person who uploaded the file; null if the account was deleted. */
  uploader: Person.nullable(),
  download_url: z.string(),
})
export type ShownAsset = z.output<typeof ShownAsset>

/** A release as pages show it. */
export const ShownRelease = z.object({
  id: wireId,
  tag_name: z.string(),
  /** The title, or the tag name if the release has no title. */
  title: z.string(),
  body_html: z.string(),
  /** Whether `body_html` contains only the beginning of the notes. */
  body_is_cut: z.boolean(),
  draft: z.boolean(),
  prerelease: z.boolean(),
  /** Whether `latest` URLs refer to this release. */
  is_latest: z.boolean(),
  /** The commit that the tag points to; empty if the tag does not exist yet. */
  sha: z.string(),
  /** The branch or commit to create the tag from. */
  target: z.string(),
  /**
   * The number of commits that the default branch has in addition. Null in lists except for the newest published
   * release, and if it is not known.
   */
  commits_since: z.int().nullable(),
  created_at: wireTimeSchema,
  author: Person.nullable(),
  /** The run whose job did this with its token, so that it started no workflows. */
  by_run: z.object({ number: z.int(), workflow: z.string() }).nullable(),
  /** The files, sorted by name. Lists of releases contain only the first files of each. */
  assets: z.array(ShownAsset),
  /** The number of all files of the release. */
  asset_count: z.int(),
})
export type ShownRelease = z.output<typeof ShownRelease>

export const releaseKinds = ['all', 'stable', 'prerelease', 'draft'] as const
export type ReleaseKind = (typeof releaseKinds)[number]

/** The input for listing releases on a page. `q` matches a substring of the title or tag, ignoring case. */
export const BrowseReleasesInput = RepoPath.extend({
  ...pageInput,
  q: queryText.optional(),
  kind: z.enum(releaseKinds).default('all'),
})
export type BrowseReleasesInput = z.output<typeof BrowseReleasesInput>

/** The number of releases of each kind, whatever the filter. */
export const ReleaseCounts = z.object({ stable: z.int(), prerelease: z.int(), draft: z.int() })
export type ReleaseCounts = z.output<typeof ReleaseCounts>

export const BrowsedReleases = pageOf(ShownRelease).extend({
  counts: ReleaseCounts,
  may_write: z.boolean(),
})
export type BrowsedReleases = z.output<typeof BrowsedReleases>

export const ReleasePageAnswer = z.object({ release: ShownRelease, may_write: z.boolean() })
export type ReleasePageAnswer = z.output<typeof ReleasePageAnswer>

/** The newest release that is neither a draft nor a pre-release, as the repository's home page shows it. */
export const LatestRelease = ShownRelease.pick({ tag_name: true, title: true, created_at: true })
export type LatestRelease = z.output<typeof LatestRelease>

/** A release as the release editor loads it. */
export const EditedRelease = z.object({
  id: wireId,
  tag_name: z.string(),
  target_commitish: z.string(),
  name: z.string(),
  body: z.string(),
  draft: z.boolean(),
  prerelease: z.boolean(),
})
export type EditedRelease = z.output<typeof EditedRelease>
export const EditorAnswer = z.object({ release: EditedRelease, assets: z.array(ShownAsset) })
export type EditorAnswer = z.output<typeof EditorAnswer>

export const PreviewInput = RepoPath.extend({ text: z.string().max(1024 * 1024) })
export const Preview = z.object({ html: z.string() })
