import type { Generated } from 'kysely'

export type ArtifactStatus = 'pending' | 'finished' | 'expired'

/** A file that a job of a workflow run left behind. */
export interface ArtifactsTable {
  id: Generated<number>
  repository_id: number
  run_id: number
  /** The attempt of the job that created it. */
  attempt: number
  job_id: number
  /** Unique within an attempt, except among expired ones. */
  name: string
  /** A finished artifact is immutable. It can be past its expiry before the sweep marks it as expired. */
  status: ArtifactStatus
  /** As announced by the client, without parameters. */
  content_type: string
  /** In bytes; 0 while it is pending. */
  size: Generated<number>
  /** Null while it is pending. */
  sha256: Buffer | null
  /** Null once it has expired. */
  storage_key: string | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
  expires_at: Date
}

/** The upload of a pending artifact. */
export interface ArtifactUploadsTable {
  artifact_id: number
  task_id: number
  /** The number of the next part. */
  parts: Generated<number>
  /** All bytes that arrived, including those of replaced blocks. */
  received: Generated<number>
  /** The part numbers of the committed blocks, in order; null before the first block list. */
  block_order: number[] | null
  /** The length that the names of all blocks have; null before the first block. */
  block_name_length: number | null
  /** The digest of the blocks in this order, once it is verified. From then on the blocks cannot change. */
  sha256: Buffer | null
  /** Whether the client sends the bytes to the storage itself. */
  is_direct: Generated<boolean>
  /** When its URL expires. */
  expires_at: Date
}

/** A durable block of an upload. */
export interface ArtifactBlocksTable {
  artifact_id: number
  /** As the client sent it: base64. */
  name: string
  /** Whether the block list names it. */
  is_committed: Generated<boolean>
  part: number
  /** In bytes. */
  size: number
}
