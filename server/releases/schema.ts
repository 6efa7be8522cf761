import { z } from 'zod'
import { formEdit } from '@/server/kernel/form-edit'
import { pageInput, pageOf } from '@/server/kernel/pagination'
import { id, lenientFlag, line, pathText, strictBoolean, wireId, wireTimeSchema } from '@/server/kernel/wire'
import { RepoPath } from '@/server/repos/schema'
import { User } from '@/server/users/schema'

export const Attachment = z
  .object({
    id: wireId,
    name: z.string(),
    size: wireId.describe('The size in bytes.'),
    download_count: wireId,
    created_at: wireTimeSchema,
    uuid: z.string(),
    browser_download_url: z.string(),
    digest: z
      .string()
      .describe('The SHA-256 digest of the file: `sha256:` followed by 64 hexadecimal digits.'),
  })
  .meta({ id: 'Attachment' })
export type Attachment = z.output<typeof Attachment>

export const Release = z
  .object({
    id: wireId,
    tag_name: z.string(),
    target_commitish: z.string(),
    name: z.string(),
    body: z.string(),
    url: z.string(),
    html_url: z.string(),
    tarball_url: z.string(),
    zipball_url: z.string(),
    upload_url: z.string(),
    draft: z.boolean(),
    prerelease: z.boolean(),
    created_at: wireTimeSchema,
    published_at: wireTimeSchema,
    author: User,
    assets: z.array(Attachment),
  })
  .meta({ id: 'Release' })
export type Release = z.output<typeof Release>
export const ReleasePage = pageOf(Release)

/** The maximum length of release notes in characters. */
export const maxBodyLength = 1024 * 1024
export const maxTitleLength = 255

// Release notes are often generated from commits and logs, so characters that the database cannot store are
// removed rather than rejected.
const freeText = z
  .string()
  .max(maxBodyLength)
  .transform(text => text.replaceAll('\0', '').toWellFormed())
  .meta({ override: { type: 'string', maxLength: maxBodyLength } })

const fields = {
  target_commitish: line(1000)
    .optional()
    .describe(
      'The branch or commit to create the tag from, if the tag does not exist. Defaults to the default branch.',
    ),
  name: freeText.optional().describe(`The title. It is truncated to ${maxTitleLength} characters.`),
  body: freeText.optional().describe('The release notes in Markdown.'),
  draft: strictBoolean.optional(),
  prerelease: strictBoolean.optional(),
}

export const CreateReleaseOption = z.object({
  tag_name: line(1000).min(1, 'Choose a tag.'),
  tag_message: freeText
    .optional()
    .describe(
      'The tag message. If it is set, an annotated tag is created; otherwise, a lightweight tag is created.',
    ),
  ...fields,
})
export type CreateReleaseOption = z.output<typeof CreateReleaseOption>

/** The input for editing a release with the REST API. Empty strings are ignored. */
export const EditReleaseOption = z.object({ tag_name: line(1000).optional(), ...fields })
export type EditReleaseOption = z.output<typeof EditReleaseOption>

/** The fields of the release editor. */
export const ReleaseFields = EditReleaseOption.extend({
  tag_name: line(1000).min(1, 'Choose a tag.').optional(),
})

export const ReleasePath = RepoPath.extend({ id })
export type ReleasePath = z.output<typeof ReleasePath>
/**
 * The input for saving the release editor. Unlike with `EditReleaseOption`, changes can set fields to empty
 * strings.
 */
export const SaveReleaseInput = z.object({ ...ReleasePath.shape, ...formEdit(ReleaseFields).shape })
export type SaveReleaseInput = z.output<typeof SaveReleaseInput>
export const TagPath = RepoPath.extend({ tag: pathText })
export type TagPath = z.output<typeof TagPath>

export const ListReleasesInput = RepoPath.extend({
  ...pageInput,
  draft: lenientFlag.describe('`true` lists only drafts; `false` excludes them.'),
  'pre-release': lenientFlag.describe('`true` lists only pre-releases; `false` excludes them.'),
})
export type ListReleasesInput = z.output<typeof ListReleasesInput>
