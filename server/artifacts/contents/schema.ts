import { z } from 'zod'
import { attemptNumber, RunPath } from '@/server/actions/schema'
import { pageInput, pageOf } from '@/server/kernel/pagination'
import { id, queryText, wireId, wireTimeSchema } from '@/server/kernel/wire'
import { ArtifactPath } from '../schema'

/**
 * Ways in which pages show a file. HTML is shown as source text; a file of kind `none` can only be
 * downloaded.
 */
export const fileKinds = [
  'zip',
  'json',
  'text',
  'html',
  'svg',
  'image',
  'audio',
  'video',
  'pdf',
  'none',
] as const
export type FileKind = (typeof fileKinds)[number]

/** Artifact of a run as pages show it. */
export const ShownArtifact = z.object({
  id: wireId,
  name: z.string(),
  attempt: z.int(),
  job: z.object({ id: wireId, name: z.string() }),
  state: z.enum(['uploading', 'available', 'expired']),
  content_type: z.string(),
  kind: z.enum(fileKinds),
  /** In bytes; the bytes received so far while it is being uploaded. */
  size: z.int(),
  /** SHA-256 as 64 hexadecimal digits; null while it is being uploaded. */
  sha256: z.string().nullable(),
  created_at: wireTimeSchema,
  expires_at: wireTimeSchema,
})
export type ShownArtifact = z.output<typeof ShownArtifact>

/** Filters for the list of artifacts. `q` matches a substring of the name, ignoring case. */
export const BrowseArtifactsInput = RunPath.extend({
  ...pageInput,
  attempt: attemptNumber,
  q: queryText.optional(),
})
export type BrowseArtifactsInput = z.output<typeof BrowseArtifactsInput>

export const BrowsedArtifacts = pageOf(ShownArtifact).extend({
  /**
   * Total size in bytes of the matching artifacts that can be downloaded: neither expired nor being uploaded.
   */
  available_size: z.int(),
  may_write: z.boolean(),
})
export type BrowsedArtifacts = z.output<typeof BrowsedArtifacts>

/** Selects an artifact of a run by its ID or name. */
export const ShowArtifactInput = RunPath.extend({ artifact: queryText })
export type ShowArtifactInput = z.output<typeof ShowArtifactInput>

export const ArtifactPageAnswer = z.object({
  artifact: ShownArtifact,
  run: z.object({ id: wireId, number: z.int(), workflow_name: z.string() }),
  may_write: z.boolean(),
})
export type ArtifactPageAnswer = z.output<typeof ArtifactPageAnswer>

export const RemoveArtifactsInput = z.object({ ids: z.array(id).min(1).max(500) })
export type RemoveArtifactsInput = z.output<typeof RemoveArtifactsInput>
export const RemovedArtifacts = z.object({ removed: z.int(), freed: z.int().describe('Bytes.') })

export const MemberPath = ArtifactPath.extend({ member: z.string().max(4096) })
export type MemberPath = z.output<typeof MemberPath>

/** Selects the files whose path contains `q`, or else the contents of one folder. */
export const ListMembersInput = ArtifactPath.extend({
  page: z.int().positive().max(1_000_000).default(1),
  limit: z.int().positive().max(200).default(200),
  folder: z.string().max(4096).default(''),
  q: queryText.optional(),
})
export type ListMembersInput = z.output<typeof ListMembersInput>

/** File in a zip archive, or a folder with the totals of all files below it. */
export const ShownMember = z.object({
  type: z.enum(['folder', 'file']),
  /** Name in the list: relative to the folder, or the whole path if all files are searched. */
  name: z.string(),
  /** Path from the root of the archive, separated by slashes. */
  path: z.string(),
  /** In bytes, uncompressed. */
  size: z.int(),
  /** Number of files below the folder; 1 for a file. */
  files: z.int(),
  kind: z.enum(fileKinds),
})
export type ShownMember = z.output<typeof ShownMember>

/** Page of a listing: folders first, each group sorted by name. */
export const ListedMembers = pageOf(ShownMember).extend({
  /** Totals of the whole archive. */
  all: z.object({ files: z.int(), size: z.int() }),
  /** Number of entries that are not shown because their names are unsafe or their sizes too large. */
  skipped: z.int(),
})
export type ListedMembers = z.output<typeof ListedMembers>
