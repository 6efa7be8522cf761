import { z } from 'zod'
import { wireTime, wireTimeSchema } from './wire'

/** How the last run of recurring work ended. */
export const LastRun = z.object({
  started: wireTimeSchema,
  duration_ms: z.number(),
  outcome: z.enum(['done', 'stopped', 'failed']),
  message: z.string(),
})
export type LastRun = z.output<typeof LastRun>

interface RunRow extends Pick<LastRun, 'message'> {
  started_at: Date
  ended_at: Date | null
  outcome: LastRun['outcome'] | null
}

/** Returns a run that has ended as it is shown; null if there is none. */
export function viewLastRun(row: RunRow | undefined): LastRun | null {
  if (!row?.ended_at || !row.outcome) return null
  const { started_at, ended_at, outcome, message } = row
  return {
    started: wireTime(started_at),
    duration_ms: ended_at.getTime() - started_at.getTime(),
    outcome,
    message,
  }
}
