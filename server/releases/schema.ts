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
    size: wireId.describe('Bytes.'),
    download_count: wireId,
    created_at: wireTimeSchema,
    uuid: z.string(),
    browser_download_url: z.string(),
    digest: z.string().describe('The SHA-256 of the file, as `sha256:` and 64 hexadecimal digits.'),
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

/** In characters; a body of JSON ends at a mebibyte. */
export const maxBodyLength = 1024 * 1024
export const maxTitleLength = 255

// What programs write of a release comes from commits and logs: what a database has no place for is left out.
const freeText = z
  .string()
  .max(maxBodyLength)
  .transform(text => text.replaceAll('\0', '').toWellFormed())
  .meta({ override: { type: 'string', maxLength: maxBodyLength } })

const fields = {
  target_commitish: line(1000)
    .optional()
    .describe('A branch or commit to make the tag from where there is none; the default branch when empty.'),
  name: freeText.optional().describe(`The title, cut at ${maxTitleLength} characters.`),
  body: freeText.optional().describe('Markdown.'),
  draft: strictBoolean.optional(),
  prerelease: strictBoolean.optional(),
}

export const CreateReleaseOption = z.object({
  tag_name: line(1000).min(1, 'Choose a tag.'),
  tag_message: freeText.optional().describe('Makes the tag an annotated one.'),
  ...fields,
})
export type CreateReleaseOption = z.output<typeof CreateReleaseOption>

/** Empty texts count as absent. */
export const EditReleaseOption = z.object({ tag_name: line(1000).optional(), ...fields })
export type EditReleaseOption = z.output<typeof EditReleaseOption>

/** What the editor changes as one form. */
export const ReleaseFields = EditReleaseOption.extend({
  tag_name: line(1000).min(1, 'Choose a tag.').optional(),
})

export const ReleasePath = RepoPath.extend({ id })
export type ReleasePath = z.output<typeof ReleasePath>
/** Of the changes, texts may be emptied. */
export const SaveReleaseInput = z.object({ ...ReleasePath.shape, ...formEdit(ReleaseFields).shape })
export type SaveReleaseInput = z.output<typeof SaveReleaseInput>
export const TagPath = RepoPath.extend({ tag: pathText })
export type TagPath = z.output<typeof TagPath>

export const ListReleasesInput = RepoPath.extend({
  ...pageInput,
  draft: lenientFlag.describe('Only drafts, or none.'),
  'pre-release': lenientFlag.describe('Only pre-releases, or none.'),
})
export type ListReleasesInput = z.output<typeof ListReleasesInput>
