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
    .describe('The name of the file. A form has another with the file, or in a field `name`.'),
  replace: lenientFlag.describe('Files of this name give way once the new one is complete.'),
})
export type AddAttachmentInput = z.output<typeof AddAttachmentInput>

export const EditAttachmentOptions = AttachmentPath.extend({
  name: z.string().max(4096).optional().describe('Stays as it is when empty.'),
})
export type EditAttachmentOptions = z.output<typeof EditAttachmentOptions>

export const UploadLimits = z.object({
  enabled: z.boolean(),
  /** Of one file; null for no limit. */
  max_bytes: wireId.nullable(),
  /** Endings such as `.zip` and types such as `image/*`; empty for all. */
  allowed_types: z.array(z.string()),
})
export type UploadLimits = z.output<typeof UploadLimits>
