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
  /** By its first bytes. */
  content_type: string
  storage_key: string
  download_count: Generated<number>
  created_at: Generated<Date>
  updated_at: Generated<Date>
  /** Since when it is shown nowhere; until the sweep its deletion can be undone. */
  deleted_at: Date | null
}

/** An upload that goes on where it was interrupted. */
export interface AttachmentUploadsTable {
  id: string
  release_id: number
  repository_id: number
  user_id: number
  name: string
  /** Of the whole file, in bytes. */
  size: number
  /** In bytes. */
  received: Generated<number>
  /** How many parts of the object were stored. */
  parts: Generated<number>
  /** Takes the place of the attachment of this name. */
  replaces: Generated<boolean>
  storage_key: string
  /** What became of it, once it is complete. */
  attachment_id: number | null
  /** Who receives bytes of it at the moment, until when at the longest unless that is renewed, and whether another asks to. */
  lock_token: string | null
  locked_until: Date | null
  lock_wanted: Generated<boolean>
  created_at: Generated<Date>
  updated_at: Generated<Date>
}
