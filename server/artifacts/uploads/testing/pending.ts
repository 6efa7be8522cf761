import type { Db } from '@/db/client'
import { type JobIds, makeRepository, makeRunningJob, makeUser } from '@/db/testing/factories'
import { newObjectKey } from '@/server/kernel/storage/key'
import { reserveObject } from '@/server/kernel/storage/unused'
import type { UploadPermit } from '../../signed-path'
import { type ArtifactRow, insertArtifact, insertUpload } from '../../store'

export interface PendingArtifact {
  artifact: ArtifactRow
  permit: UploadPermit
}

/** Adds a running job in a new repository. */
export async function makeJob(db: Db): Promise<JobIds> {
  const { id } = await makeRepository(db, (await makeUser(db)).id)
  return await makeRunningJob(db, id)
}

let count = 0

/** Adds an artifact whose upload URL is valid for an hour. */
export async function makePendingArtifact(
  db: Db,
  { task_id, ...attempt }: JobIds,
  { is_direct = false } = {},
): Promise<PendingArtifact> {
  const later = new Date(Date.now() + 3_600_000)
  const storage_key = newObjectKey()
  return await db.transaction().execute(async trx => {
    const artifact = await insertArtifact(trx, {
      ...{ ...attempt, name: `artifact ${++count}`, status: 'pending', content_type: 'application/zip' },
      ...{ storage_key, expires_at: later },
    })
    if (!artifact) throw new Error('the name is taken')
    await reserveObject(trx, storage_key, later)
    await insertUpload(trx, { artifact_id: artifact.id, task_id, is_direct, expires_at: later })
    const expires = Math.floor(later.getTime() / 1000)
    return { artifact, permit: { artifactId: artifact.id, taskId: task_id, expires } }
  })
}
