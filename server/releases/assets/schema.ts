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
    .describe('The file name. In a form, it can also be sent with the file or in the field `name`.'),
  replace: lenientFlag.describe(
    'Whether to replace existing files with this name once the new file is uploaded.',
  ),
})
export type AddAttachmentInput = z.output<typeof AddAttachmentInput>

export const EditAttachmentOptions = AttachmentPath.extend({
  name: z
    .string()
    .max(4096)
    .optional()
    .describe('The new file name. If it is empty, the name stays unchanged.'),
})
export type EditAttachmentOptions = z.output<typeof EditAttachmentOptions>

export const UploadLimits = z.object({
  enabled: z.boolean(),
  /** The maximum size of a file in bytes; null if unlimited. */
  max_bytes: wireId.nullable(),
  /**
   * Allowed file extensions, such as `.zip`, and MIME types, such as `image/*`. Empty if all types are
   * allowed.
   */
  allowed_types: z.array(z.string()),
})
export type UploadLimits = z.output<typeof UploadLimits>
