import { z } from 'zod'
import { line, wireId, wireTimeSchema } from '@/server/kernel/wire'
import { ReleasePath } from '../schema'

/** An unfinished upload of a file to a release. */
export const UnfinishedUpload = z.object({
  id: z.string(),
  name: z.string(),
  /** The size of the complete file in bytes. */
  size: wireId,
  received: wireId,
  /** Whether the upload, once finished, replaces existing files of this name. */
  replaces: z.boolean(),
  updated_at: wireTimeSchema,
})
export type UnfinishedUpload = z.output<typeof UnfinishedUpload>
export const UnfinishedUploadList = z.array(UnfinishedUpload)

export const CancelUploadInput = ReleasePath.extend({ upload_id: line(100) })
