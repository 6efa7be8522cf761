import { z } from 'zod'
import { attemptNumber, RunPath } from '@/server/actions/schema'
import { pageInput, pageOf } from '@/server/kernel/pagination'
import { id, queryText, wireId, wireTimeSchema } from '@/server/kernel/wire'
import { ArtifactPath } from '../schema'

/** How pages show a file: the source of HTML is shown as text, and a file of the kind `none` can only be downloaded. */
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

/** An artifact of a run, as pages show it. */
export const ShownArtifact = z.object({
  id: wireId,
  name: z.string(),
  attempt: z.int(),
  job: z.object({ id: wireId, name: z.string() }),
  state: z.enum(['uploading', 'available', 'expired']),
  content_type: z.string(),
  kind: z.enum(fileKinds),
  /** In bytes; while it is being uploaded, those that have arrived. */
  size: z.int(),
  /** The SHA-256, as 64 hexadecimal digits; null while it is being uploaded. */
  sha256: z.string().nullable(),
  created_at: wireTimeSchema,
  expires_at: wireTimeSchema,
})
export type ShownArtifact = z.output<typeof ShownArtifact>

/** `q` matches a substring of the name, case-insensitively. */
export const BrowseArtifactsInput = RunPath.extend({
  ...pageInput,
  attempt: attemptNumber,
  q: queryText.optional(),
})
export type BrowseArtifactsInput = z.output<typeof BrowseArtifactsInput>

export const BrowsedArtifacts = pageOf(ShownArtifact).extend({
  /** Of all that match, those that are neither expired nor being uploaded, in bytes. */
  available_size: z.int(),
  may_write: z.boolean(),
})
export type BrowsedArtifacts = z.output<typeof BrowsedArtifacts>

/** An id, or the name of an artifact of the run. */
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

/** All files with `q` in their path, or else those of one folder. */
export const ListMembersInput = ArtifactPath.extend({
  page: z.int().positive().max(1_000_000).default(1),
  limit: z.int().positive().max(200).default(200),
  folder: z.string().max(4096).default(''),
  q: queryText.optional(),
})
export type ListMembersInput = z.output<typeof ListMembersInput>

/** A folder of a zip, with the files in it and below it, or a file. */
export const ShownMember = z.object({
  type: z.enum(['folder', 'file']),
  /** In the list: below the folder, or the whole path among all files. */
  name: z.string(),
  /** From the root of the zip, with slashes. */
  path: z.string(),
  /** In bytes, uncompressed. */
  size: z.int(),
  /** Of a folder, how many. */
  files: z.int(),
  kind: z.enum(fileKinds),
})
export type ShownMember = z.output<typeof ShownMember>

/** Folders first, by name. */
export const ListedMembers = pageOf(ShownMember).extend({
  /** Of the whole zip. */
  all: z.object({ files: z.int(), size: z.int() }),
  /** The number of files that are not shown, as their names are not safe. */
  skipped: z.int(),
})
export type ListedMembers = z.output<typeof ListedMembers>
