import { createHash, randomBytes } from 'node:crypto'
import type { ArtifactRow } from '@/server/artifacts/store'
import type { Site } from './site'

interface Sent {
  name?: string
  bytes?: Buffer | string
  contentType?: string
  expiresAt?: Date
  /** Defaults to `finished`. An expired artifact has no stored object. */
  status?: 'finished' | 'expired' | 'pending'
}

interface Location {
  run: { id: number; repository_id: number; attempt: number }
  jobs: readonly [{ job: { id: number } }, ...unknown[]]
}

/** Creates an artifact of the first job of a run directly in the database and storage. */
export async function makeArtifact(
  site: Site,
  { run, jobs }: Location,
  sent: Sent = {},
): Promise<ArtifactRow> {
  const bytes = Buffer.from(sent.bytes ?? 'hello')
  const key = randomBytes(16).toString('hex')
  const { status = 'finished' } = sent
  await site.services.storage.put(
    key,
    (async function* () {
      yield bytes
    })(),
  )
  return await site.db
    .insertInto('artifacts')
    .values({
      repository_id: run.repository_id,
      run_id: run.id,
      attempt: run.attempt,
      job_id: jobs[0].job.id,
      name: sent.name ?? `artifact ${key}`,
      status,
      content_type: sent.contentType ?? 'application/zip',
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest(),
      storage_key: status === 'expired' ? null : key,
      expires_at: sent.expiresAt ?? new Date(Date.now() + 86_400_000),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}
