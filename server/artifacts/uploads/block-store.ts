import { type Selectable, sql, type Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { affectedRows } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { ArtifactBlocksTable, ArtifactStatus, ArtifactUploadsTable } from '@/db/tables/artifacts'
import type { WorkflowTasksTable } from '@/db/tables/workflow-jobs'
import type { UploadPermit } from '../signed-path'

export type BlockRow = Pick<Selectable<ArtifactBlocksTable>, 'name' | 'is_committed' | 'part' | 'size'>

/** Azure's limit for the uncommitted blocks of a blob. We also count the blocks that were replaced. */
export const mostParts = 100_000

/** Number that a block is stored under, with the state of its upload. */
export interface StoredPart {
  part: number
  storageKey: string
  /** Total bytes received or announced so far, including this block. */
  received: number
  nameLength: number | null
}

interface Announced {
  /** Length of the block's ID; undefined for blocks without ids. */
  nameLength: number | undefined
  bytes: number
  mostBytes: number
  now: Date
}

const finite = (bytes: number): number => Math.min(bytes, Number.MAX_SAFE_INTEGER)

/**
 * Takes the next part number of an upload and counts the announced bytes; undefined if the upload does not
 * accept the block.
 */
export async function takePart(
  db: Db,
  { artifactId, taskId }: UploadPermit,
  { nameLength, bytes, mostBytes, now }: Announced,
): Promise<StoredPart | undefined> {
  const row = await db
    .updateTable('artifact_uploads as u')
    .from(['artifacts as a', 'workflow_tasks as t'])
    .set(eb => ({
      parts: eb('u.parts', '+', 1),
      received: eb('u.received', '+', bytes),
      ...(nameLength === undefined
        ? {}
        : { block_name_length: eb.fn.coalesce('u.block_name_length', eb.val(nameLength)) }),
    }))
    .whereRef('a.id', '=', 'u.artifact_id')
    .whereRef('t.id', '=', 'u.task_id')
    .where('u.artifact_id', '=', artifactId)
    .where('u.task_id', '=', taskId)
    .where('u.sha256', 'is', null)
    .where('u.expires_at', '>', now)
    .where('u.parts', '<', mostParts)
    .where('u.received', '<=', finite(mostBytes) - bytes)
    .where('t.status', '<>', 'ended')
    .returning(['u.parts', 'u.received', 'u.block_name_length', 'a.storage_key'])
    .executeTakeFirst()
  if (row?.storage_key == null) return undefined
  const { parts, received, block_name_length: known, storage_key: storageKey } = row
  return { part: parts - 1, received, nameLength: known, storageKey }
}

interface StoredBlock {
  name: string
  part: number
  size: number
  /** Received bytes that `takePart` did not count. */
  uncounted: number
  mostBytes: number
}

/**
 * Records a block that is durably stored. If a block of the same name was started later, that one is kept.
 * Returns false if the upload was deleted or sealed, or would exceed the limit.
 */
export async function recordBlock(
  db: Db,
  artifactId: number,
  { name, part, size, uncounted, mostBytes }: StoredBlock,
): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`
    with u as (
      update artifact_uploads set received = received + ${uncounted}
      where artifact_id = ${artifactId} and sha256 is null and received <= ${finite(mostBytes)} - ${uncounted}::bigint
      returning artifact_id),
    b as (
      insert into artifact_blocks (artifact_id, name, part, size) select artifact_id, ${name}, ${part}, ${size} from u
      on conflict (artifact_id, name, is_committed) do update set part = excluded.part, size = excluded.size
      where artifact_blocks.part < excluded.part)
    select exists (select from u) as open`.execute(db)
  return rows[0]?.open === true
}

/** Records a stored block and appends it to the committed ones; otherwise like `recordBlock`. */
export async function appendBlock(
  db: Db,
  artifactId: number,
  { name, part, size, uncounted, mostBytes }: StoredBlock,
): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`
    with u as (
      update artifact_uploads
      set received = received + ${uncounted}, block_order = array_append(coalesce(block_order, '{}'), ${part}::integer)
      where artifact_id = ${artifactId} and sha256 is null and received <= ${finite(mostBytes)} - ${uncounted}::bigint
        and coalesce(cardinality(block_order), 0) < 50000
      returning artifact_id),
    b as (
      insert into artifact_blocks (artifact_id, name, is_committed, part, size)
      select artifact_id, ${name}, true, ${part}, ${size} from u)
    select exists (select from u) as open`.execute(db)
  return rows[0]?.open === true
}

/** Subtracts bytes that were announced but never received. */
export async function uncountBytes(db: Db, artifactId: number, bytes: number): Promise<void> {
  if (bytes === 0) return
  await db
    .updateTable('artifact_uploads')
    .set(eb => ({ received: eb('received', '-', bytes) }))
    .where('artifact_id', '=', artifactId)
    .execute()
}

/**
 * State of an upload that explains why it accepts nothing. If there is no such upload, everything but the
 * artifact's status is null.
 */
export type UploadState = { artifactStatus: ArtifactStatus } & {
  [Column in 'sha256' | 'expires_at' | 'parts']: Selectable<ArtifactUploadsTable>[Column] | null
} & { taskStatus: WorkflowTasksTable['status'] | null }

/** Finds the state of the upload that a permit is for; undefined if the artifact was deleted. */
export function findUploadState(
  db: Db,
  { artifactId, taskId }: UploadPermit,
): Promise<UploadState | undefined> {
  return db
    .selectFrom('artifacts as a')
    .leftJoin('artifact_uploads as u', join =>
      join.onRef('u.artifact_id', '=', 'a.id').on('u.task_id', '=', taskId),
    )
    .leftJoin('workflow_tasks as t', 't.id', 'u.task_id')
    .where('a.id', '=', artifactId)
    .select(['a.status as artifactStatus', 'u.sha256', 'u.expires_at', 'u.parts', 't.status as taskStatus'])
    .executeTakeFirst()
}

/** Locks an upload whose blocks can still change. Returns false if there is none. */
export async function lockOpenUpload(
  trx: Transaction<Database>,
  { artifactId, taskId }: UploadPermit,
  now: Date,
): Promise<boolean> {
  const row = await trx
    .selectFrom('artifact_uploads as u')
    .innerJoin('workflow_tasks as t', 't.id', 'u.task_id')
    .select('u.artifact_id')
    .where('u.artifact_id', '=', artifactId)
    .where('u.task_id', '=', taskId)
    .where('u.sha256', 'is', null)
    .where('u.expires_at', '>', now)
    .where('t.status', '<>', 'ended')
    .forUpdate('u')
    .executeTakeFirst()
  return row !== undefined
}

export function selectBlocks(db: Db, artifactId: number): Promise<BlockRow[]> {
  return db
    .selectFrom('artifact_blocks')
    .select(['name', 'is_committed', 'part', 'size'])
    .where('artifact_id', '=', artifactId)
    .execute()
}

/** Sets the committed blocks of a locked upload, in this order, and deletes all others. */
export async function setOrder(
  trx: Transaction<Database>,
  artifactId: number,
  order: readonly number[],
): Promise<void> {
  await sql`
    delete from artifact_blocks b where b.artifact_id = ${artifactId}
      and not exists (select from unnest(${[...order]}::integer[]) as named (part) where named.part = b.part)`.execute(
    trx,
  )
  await trx
    .updateTable('artifact_blocks')
    .set({ is_committed: true })
    .where('artifact_id', '=', artifactId)
    .where('is_committed', '=', false)
    .execute()
  await sql`update artifact_uploads set block_order = ${[...order]}::integer[] where artifact_id = ${artifactId}`.execute(
    trx,
  )
}

/**
 * Records the verified digest of an upload, after which its blocks cannot change. Returns false if the order
 * of its blocks has changed. A null order means a single block without a list.
 */
export async function sealUpload(
  db: Db,
  artifactId: number,
  { order, becomes, sha256 }: { order: readonly number[] | null; becomes: readonly number[]; sha256: Buffer },
): Promise<boolean> {
  const known = order && [...order]
  const result = await db
    .updateTable('artifact_uploads')
    .set({ sha256, block_order: sql<number[]>`${[...becomes]}::integer[]` })
    .where('artifact_id', '=', artifactId)
    .where(sql<boolean>`block_order is not distinct from ${known}::integer[]`)
    .executeTakeFirst()
  return affectedRows(result) === 1
}
