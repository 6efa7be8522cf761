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

/** In characters. JSON bodies are limited to 1 MiB anyway. */
export const maxBodyLength = 1024 * 1024
export const maxTitleLength = 255

// Release notes are often generated from commits and logs. Characters that the database cannot store are removed.
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
  name: freeText.optional().describe(`The title, truncated to ${maxTitleLength} characters.`),
  body: freeText.optional().describe('Markdown.'),
  draft: strictBoolean.optional(),
  prerelease: strictBoolean.optional(),
}

export const CreateReleaseOption = z.object({
  tag_name: line(1000).min(1, 'Choose a tag.'),
  tag_message: freeText.optional().describe('Message of the tag, which makes it an annotated tag.'),
  ...fields,
})
export type CreateReleaseOption = z.output<typeof CreateReleaseOption>

/** Empty texts count as absent. */
export const EditReleaseOption = z.object({ tag_name: line(1000).optional(), ...fields })
export type EditReleaseOption = z.output<typeof EditReleaseOption>

/** The fields of the release editor. */
export const ReleaseFields = EditReleaseOption.extend({
  tag_name: line(1000).min(1, 'Choose a tag.').optional(),
})

export const ReleasePath = RepoPath.extend({ id })
export type ReleasePath = z.output<typeof ReleasePath>
/** Unlike `EditReleaseOption`, changes may set texts to empty. */
export const SaveReleaseInput = z.object({ ...ReleasePath.shape, ...formEdit(ReleaseFields).shape })
export type SaveReleaseInput = z.output<typeof SaveReleaseInput>
export const TagPath = RepoPath.extend({ tag: pathText })
export type TagPath = z.output<typeof TagPath>

export const ListReleasesInput = RepoPath.extend({
  ...pageInput,
  draft: lenientFlag.describe('`true` lists only drafts, `false` excludes them.'),
  'pre-release': lenientFlag.describe('`true` lists only pre-releases, `false` excludes them.'),
})
export type ListReleasesInput = z.output<typeof ListReleasesInput>
