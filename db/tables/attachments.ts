import type { Generated } from 'kysely'

/** A file attached to a release. */
export interface AttachmentsTable {
  id: Generated<number>
  uuid: string
  release_id: number
  repository_id: number
  uploader_id: number | null
  name: string
  /** Size in bytes. */
  size: number
  sha256: Buffer
  /** Media type detected from the first bytes of the file. */
  content_type: string
  storage_key: string
  download_count: Generated<number>
  created_at: Generated<Date>
  updated_at: Generated<Date>
  /**
   * When the attachment was deleted. It is then hidden, and can be restored until the cleanup job deletes it
   * permanently.
   */
  deleted_at: Date | null
}

/** A resumable upload of a release attachment. */
export interface AttachmentUploadsTable {
  id: string
  release_id: number
  repository_id: number
  user_id: number
  name: string
  /** Size of the complete file in bytes. */
  size: number
  /** Number of bytes received. */
  received: Generated<number>
  /** Number of stored parts. */
  parts: Generated<number>
  /** Whether the upload replaces attachments with the same name. */
  replaces: Generated<boolean>
  storage_key: string
  /** Attachment created from the upload; null until the upload is complete. */
  attachment_id: number | null
  /**
   * Lock token of the request that is appending to the upload, when its lease ends, and whether another
   * request wants the lock.
   */
  lock_token: string | null
  locked_until: Date | null
  lock_wanted: Generated<boolean>
  created_at: Generated<Date>
  updated_at: Generated<Date>
}
