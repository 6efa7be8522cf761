import type { Health } from './schema'

type Problem = Health['problems'][number]

/** Turns the message of a failure into a sentence. */
export const errorText = (message: string): string =>
  `Error: ${(message || 'none given').replace(/\.$/, '')}.`

/** Returns the problem that the last backup failed, if it did. */
export function failedBackup(backups: Health['backups']): Problem[] {
  if (backups?.last?.outcome !== 'failed') return []
  const again = backups.schedule ? ' It is repeated on schedule, or after 15 minutes if none was made.' : ''
  return [{ what: 'The last backup failed.', advice: `${errorText(backups.last.message)}${again}` }]
}

/** Returns the problem that the last complete backup is older than two intervals of the schedule, if it is. */
export function lateBackup(
  backups: Health['backups'],
  ageOf: (time: string) => number,
  upMs: number,
): Problem[] {
  if (!backups?.schedule) return []
  const { schedule, complete } = backups
  if ((complete ? ageOf(complete.started) : upMs) <= 2 * schedule.every_ms) return []
  return [
    {
      what: complete ? 'The last complete backup is too old.' : 'There is no complete backup yet.',
      advice:
        'Check the log for the cause. Backups that take longer than their interval start one after the other.',
    },
  ]
}
