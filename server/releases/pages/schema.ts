import { z } from 'zod'
import { pageInput, pageOf } from '@/server/kernel/pagination'
import { queryText, wireId, wireTimeSchema } from '@/server/kernel/wire'
import { RepoPath } from '@/server/repos/schema'

const Person = z.object({ id: wireId, login: z.string() })

/** A file of a release, as pages show it. */
export const ShownAsset = z.object({
  id: wireId,
  name: z.string(),
  /** Its name leads to it; of several of a name, to the newest alone. */
  has_name: z.boolean(),
  /** In bytes. */
  size: z.int(),
  /** The SHA-256, as 64 hexadecimal digits. */
  sha256: z.string(),
  download_count: z.int(),
  created_at: wireTimeSchema,
  /** Null when the account is deleted. */
  uploader: Person.nullable(),
  download_url: z.string(),
})
export type ShownAsset = z.output<typeof ShownAsset>

/** A release, as pages show it. */
export const ShownRelease = z.object({
  id: wireId,
  tag_name: z.string(),
  /** The tag where none was given. */
  title: z.string(),
  body_html: z.string(),
  /** There is more of the notes than that. */
  body_is_cut: z.boolean(),
  draft: z.boolean(),
  prerelease: z.boolean(),
  /** The one that addresses with `latest` lead to. */
  is_latest: z.boolean(),
  /** The commit that the tag led to; empty while there is no tag. */
  sha: z.string(),
  /** What a tag will be made of. */
  target: z.string(),
  created_at: wireTimeSchema,
  author: Person.nullable(),
  assets: z.array(ShownAsset),
})
export type ShownRelease = z.output<typeof ShownRelease>

export const releaseKinds = ['all', 'stable', 'prerelease', 'draft'] as const
export type ReleaseKind = (typeof releaseKinds)[number]

/** `q` is part of a title or tag, in whatever case. */
export const BrowseReleasesInput = RepoPath.extend({
  ...pageInput,
  q: queryText.optional(),
  kind: z.enum(releaseKinds).default('all'),
})
export type BrowseReleasesInput = z.output<typeof BrowseReleasesInput>

/** How many there are of each kind, whatever was asked for. */
export const ReleaseCounts = z.object({ stable: z.int(), prerelease: z.int(), draft: z.int() })
export type ReleaseCounts = z.output<typeof ReleaseCounts>

export const BrowsedReleases = pageOf(ShownRelease).extend({
  counts: ReleaseCounts,
  may_write: z.boolean(),
})
export type BrowsedReleases = z.output<typeof BrowsedReleases>

export const ReleasePageAnswer = z.object({ release: ShownRelease, may_write: z.boolean() })
export type ReleasePageAnswer = z.output<typeof ReleasePageAnswer>

/** Names of tags, and which of them have a release. */
export const TagNames = RepoPath.extend({ tags: z.array(z.string().max(1024)).max(50) })
export type TagNames = z.output<typeof TagNames>
export const ReleasedTags = z.array(z.string())

/** A release as its editor begins with it. */
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
