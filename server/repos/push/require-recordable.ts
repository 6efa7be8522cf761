import { requireWritable } from '@/db/writable'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { requireRoom } from '@/server/kernel/fs/disk-room'

/**
 * Requires that a push could be recorded, as far as that can be told: git would move the refs before it shows.
 * @throws {DomainError} unavailable while the disk of the repositories takes no files, and while their directory is not that
 * of this site; what `requireWritable` throws, too.
 */
export async function requireRecordable({ db, config, ownLocations }: ServiceCtx): Promise<void> {
  await Promise.all([
    requireRoom(config.repositoryDir),
    requireWritable(db),
    ownLocations.requireRepositories(),
  ])
}
