import { z } from 'zod'
import { id, lenientFlag, wireId } from '@/server/kernel/wire'
import { Attachment, ReleasePath } from '../schema'

export const AttachmentPath = ReleasePath.extend({ attachment_id: id })
export type AttachmentPath = z.output<typeof AttachmentPath>

export const AttachmentList = z.array(Attachment)

const first = (value: string | string[]): string => (Array.isArray(value) ? (value[0] ?? '') : value)

export const AddAttachmentInput = ReleasePath.extend({
  name: z
    .union([z.string(), z.array(z.string())])
    .transform(first)
    .optional()
    .meta({ override: { type: 'string' } })
    .describe('The file name. A form can also send it with the file or in the field `name`.'),
  replace: lenientFlag.describe('Replaces existing files of this name once the new one is complete.'),
})
export type AddAttachmentInput = z.output<typeof AddAttachmentInput>

export const EditAttachmentOptions = AttachmentPath.extend({
  name: z.string().max(4096).optional().describe('The new name; an empty name changes nothing.'),
})
export type EditAttachmentOptions = z.output<typeof EditAttachmentOptions>

export const UploadLimits = z.object({
  enabled: z.boolean(),
  /** Per file; null means unlimited. */
  max_bytes: wireId.nullable(),
  /** Extensions such as `.zip` and types such as `image/*`; empty means all. */
  allowed_types: z.array(z.string()),
})
export type UploadLimits = z.output<typeof UploadLimits>
