import { requireWritable } from '@/db/writable'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { requireRoom } from '@/server/kernel/fs/disk-room'

/**
 * Requires that a push can be recorded, as far as this can be checked in advance. Git moves the refs before
 * the push is recorded, so the check must come before Git runs.
 * @throws {DomainError} unavailable if the repository disk does not accept files, or unless the repository
 * directory is confirmed to belong to this site; also the errors of `requireWritable`.
 */
export async function requireRecordable({ db, config, ownLocations }: ServiceCtx): Promise<void> {
  await Promise.all([
    requireRoom(config.repositoryDir),
    requireWritable(db),
    ownLocations.requireRepositories(),
  ])
}
