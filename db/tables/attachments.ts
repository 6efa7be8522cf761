import type { Generated } from 'kysely'

/** A file of a release. */
export interface AttachmentsTable {
  id: Generated<number>
  uuid: string
  release_id: number
  repository_id: number
  uploader_id: number | null
  name: string
  /** In bytes. */
  size: number
  sha256: Buffer
  /** Detected from the first bytes. */
  content_type: string
  storage_key: string
  download_count: Generated<number>
  created_at: Generated<Date>
  updated_at: Generated<Date>
  /** When it was deleted. It is hidden, and can be restored until the sweep. */
  deleted_at: Date | null
}

/** A resumable upload. */
export interface AttachmentUploadsTable {
  id: string
  release_id: number
  repository_id: number
  user_id: number
  name: string
  /** Size of the complete file in bytes. */
  size: number
  /** In bytes. */
  received: Generated<number>
  /** Number of stored parts. */
  parts: Generated<number>
  /** Whether it replaces attachments of this name. */
  replaces: Generated<boolean>
  storage_key: string
  /** The attachment that it became, once complete. */
  attachment_id: number | null
  /** The lock of the request that appends to the upload, its lease, and whether another request wants it. */
  lock_token: string | null
  locked_until: Date | null
  lock_wanted: Generated<boolean>
  created_at: Generated<Date>
  updated_at: Generated<Date>
}
