import type { ServiceCtx } from '@/server/kernel/ctx'
import { viewLastRun } from '@/server/kernel/last-run'
import type { Metrics } from '@/server/kernel/metrics'
import { wireTime } from '@/server/kernel/wire'
import type { BackupStatus } from './schema'
import { selectLastBackups } from './store'

/** Returns the state of the site's backups; null if none are scheduled and none was made. */
export async function getBackupStatus({
  db,
  config,
}: Pick<ServiceCtx, 'db' | 'config'>): Promise<BackupStatus | null> {
  const { ended, done, running } = await selectLastBackups(db)
  const { to, everyMs, keep } = config.backup
  if (to === undefined && !ended && !running) return null
  return {
    schedule: to === undefined ? null : { to, every_ms: everyMs, keep },
    running: running ? wireTime(running.started_at) : null,
    complete: done
      ? { started: wireTime(done.started_at), size: done.size_bytes ?? 0, copied: done.copied_bytes ?? 0 }
      : null,
    last: viewLastRun(ended),
  }
}

/** Updates the metrics of backups. */
export async function observeBackups({
  db,
  metrics,
}: Pick<ServiceCtx, 'db'> & { metrics: Metrics }): Promise<void> {
  const { ended, done } = await selectLastBackups(db)
  metrics.observeBackups({
    ...(ended?.ended_at && {
      hasFailed: ended.outcome === 'failed',
      durationSeconds: (ended.ended_at.getTime() - ended.started_at.getTime()) / 1000,
    }),
    ...(done && { completeAt: done.started_at, sizeBytes: done.size_bytes ?? 0 }),
  })
}
