import type { Generated } from 'kysely'

export type ArtifactStatus = 'pending' | 'finished' | 'expired'

/** A file that a job of a workflow run uploaded. */
export interface ArtifactsTable {
  id: Generated<number>
  repository_id: number
  run_id: number
  /** Attempt of the job that created the artifact. */
  attempt: number
  job_id: number
  /** Unique within an attempt, except among expired artifacts. */
  name: string
  /**
   * A finished artifact is immutable. It can be past its expiry before the cleanup job marks it as expired.
   */
  status: ArtifactStatus
  /** Media type sent by the client, without parameters. */
  content_type: string
  /** In bytes; 0 while the artifact is pending. */
  size: Generated<number>
  /** Null while the artifact is pending. */
  sha256: Buffer | null
  /** Null once the artifact has expired. */
  storage_key: string | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
  expires_at: Date
}

/** The upload of a pending artifact, which the client sends in blocks. */
export interface ArtifactUploadsTable {
  artifact_id: number
  task_id: number
  /** Number of the next part. */
  parts: Generated<number>
  /** Number of bytes received, including those of replaced blocks. */
  received: Generated<number>
  /** Part numbers of the committed blocks, in order; null before the first block list. */
  block_order: number[] | null
  /** Length of every block name; null before the first block. */
  block_name_length: number | null
  /**
   * Digest of the blocks in this order, once it has been verified. From then on, the blocks cannot change.
   */
  sha256: Buffer | null
  /** Whether the client uploads the bytes directly to the object storage. */
  is_direct: Generated<boolean>
  /** When the upload URL expires. */
  expires_at: Date
}

/** A durably stored block of an artifact upload. */
export interface ArtifactBlocksTable {
  artifact_id: number
  /** In base64, as sent by the client. */
  name: string
  /** Whether the block list includes the block. */
  is_committed: Generated<boolean>
  part: number
  /** Size in bytes. */
  size: number
}
