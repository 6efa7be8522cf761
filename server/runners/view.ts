import { neverTime, wireTime } from '@/server/kernel/wire'
import type { ActionRunner } from './schema'
import { isBusy, isOnline, isPaused } from './state'
import type { RunnerRow } from './store'

/** Converts a runner to its wire shape as of the given time. */
export function viewRunner(runner: RunnerRow, now: Date): ActionRunner {
  const disabled = isPaused(runner, now)
  const { resume_at, last_online_at } = runner
  return {
    id: runner.id,
    name: runner.name,
    status: isOnline(runner, now) ? 'online' : 'offline',
    busy: isBusy(runner, now),
    disabled,
    ephemeral: runner.is_ephemeral,
    labels: runner.labels.map((name, id) => ({ id, name, type: 'custom' })),
    version: runner.version,
    last_online: last_online_at ? wireTime(last_online_at) : neverTime,
    note: disabled ? runner.disabled_note : '',
    resume_at: disabled && resume_at ? wireTime(resume_at) : null,
    labels_edited: runner.labels_edited,
  }
}
