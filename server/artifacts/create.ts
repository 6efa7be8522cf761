import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { announceRun } from '@/server/actions'
import { dayMs } from '@/server/kernel/clock'
import type { JobCtx } from '@/server/kernel/ctx'
import { alreadyExists, conflict, exhausted, unauthenticated } from '@/server/kernel/errors'
import { newObjectKey } from '@/server/kernel/storage/key'
import { reserveObject } from '@/server/kernel/storage/unused'
import { announcedType } from './content-type'
import { type CalledFor, requireOwnJob, requireUnarchived } from './for-job'
import { checkArtifactName } from './name'
import { signUpload } from './signed-path'
import {
  type ArtifactRow,
  countArtifactsOfJob,
  deleteArtifact,
  expireArtifact,
  findJobName,
  findRunningUpload,
  findTask,
  insertArtifact,
  insertUpload,
  lockNamedArtifact,
  lockTask,
} from './store'

const maxPerJob = 500
const hourMs = 3_600_000
// The object is kept this long after the upload can no longer continue, so that a running finalization
// completes first.
const sweepMarginMs = hourMs

export interface NewArtifact extends CalledFor {
  name: string
  /** Content type that the client announces; undefined for a zip. */
  mimeType: string | undefined
  expiresAt: Date | undefined
}

/**
 * Address for the upload of a new artifact until the job's token expires: a path on this site, or a URL of
 * the storage.
 */
export type UploadAddress = { path: string } | { url: string }

/**
 * Creates a pending artifact of the calling job and returns where to upload it. An unfinished upload of the
 * same name is replaced if it is the job's own, or if it cannot continue.
 * @throws {DomainError} forbidden for another run or job, or if the repository is archived; invalid for an
 * invalid name; alreadyExists if the name is in use; exhausted if the job has too many artifacts.
 */
export async function createArtifact(ctx: JobCtx, input: NewArtifact): Promise<UploadAddress> {
  requireOwnJob(ctx, input)
  checkArtifactName(input.name)
  await requireUnarchived(ctx)
  const { db, caller, clock, config } = ctx
  const storage_key = newObjectKey()
  const url = await directUrl(ctx, storage_key)
  const { artifact, task } = await withTransaction(db, async trx => {
    const task = await lockTask(trx, caller.taskId)
    if (!task) throw hasEnded()
    const artifact = await insertUnderName(trx, ctx, {
      repository_id: caller.repositoryId,
      run_id: caller.runId,
      attempt: caller.attempt,
      job_id: caller.jobId,
      name: input.name,
      status: 'pending',
      content_type: announcedType(input.mimeType),
      sha256: null,
      storage_key,
      expires_at: expiryOf(input.expiresAt, clock.now(), config.artifactRetentionDays),
    })
    if ((await countArtifactsOfJob(trx, caller.jobId)) > maxPerJob)
      throw exhausted(`a job can have at most ${maxPerJob} artifacts; upload fewer, larger ones`)
    await reserveObject(trx, storage_key, new Date(task.expires_at.getTime() + sweepMarginMs))
    await insertUpload(trx, {
      artifact_id: artifact.id,
      task_id: caller.taskId,
      block_order: null,
      is_direct: url !== undefined,
      expires_at: task.expires_at,
    })
    announceRun(trx, { id: caller.runId, repository_id: caller.repositoryId })
    return { artifact, task }
  })
  if (url) return { url }
  const expires = Math.floor(task.expires_at.getTime() / 1000)
  return { path: signUpload(config, { artifactId: artifact.id, taskId: caller.taskId, expires }) }
}

async function directUrl(ctx: JobCtx, storageKey: string): Promise<string | undefined> {
  if (!ctx.config.serveDirect) return undefined
  const task = await findTask(ctx.db, ctx.caller.taskId)
  if (!task) throw hasEnded()
  const left = Math.ceil((task.expires_at.getTime() - ctx.clock.now().getTime()) / 1000)
  return await ctx.storage.signedUploadUrl(storageKey, Math.max(left, 1))
}

const hasEnded = () => unauthenticated('the job for this token has ended')

async function insertUnderName(
  trx: Transaction<Database>,
  ctx: JobCtx,
  row: Parameters<typeof insertArtifact>[1],
): Promise<ArtifactRow> {
  // Another job can claim the name between the two statements.
  for (let attempt = 0; attempt < 3; attempt++) {
    const holder = await lockNamedArtifact(trx, ctx.caller, row.name)
    if (holder) await freeName(trx, ctx, holder)
    const artifact = await insertArtifact(trx, row)
    if (artifact) return artifact
  }
  throw conflict('several jobs are creating an artifact with this name; try again')
}

async function freeName(trx: Transaction<Database>, ctx: JobCtx, holder: ArtifactRow): Promise<void> {
  const now = ctx.clock.now()
  if (holder.status === 'finished' && holder.expires_at <= now) return expireArtifact(trx, holder.id)
  if (holder.status === 'pending') {
    const upload = await findRunningUpload(trx, holder.id)
    const canContinue = upload && upload.task_status !== 'ended' && upload.expires_at > now
    if (!canContinue || holder.job_id === ctx.caller.jobId) return void (await deleteArtifact(trx, holder.id))
  }
  throw nameInUse(await findJobName(trx, holder.job_id), holder)
}

// Users know the first words from GitHub.
const nameInUse = (job: string, { status }: ArtifactRow) =>
  alreadyExists(
    `an artifact with this name already exists on the workflow run: ` +
      `the job "${job}" ${status === 'pending' ? 'is uploading' : 'uploaded'} it`,
    { field: 'name' },
  )

/**
 * Returns the expiration time of a new artifact: the requested time, but at least an hour and at most the
 * site's retention period from now.
 */
function expiryOf(wanted: Date | undefined, now: Date, retentionDays: number): Date {
  const [first, last] = [now.getTime() + hourMs, now.getTime() + retentionDays * dayMs]
  return new Date(Math.min(Math.max(wanted?.getTime() ?? last, first), last))
}
