import type { EndReason } from '@/db/tables/end-reasons'
import type { JobRow } from './job-store'

const texts: Record<EndReason, (message: string) => string> = {
  cancelled: () => 'The run was canceled.',
  runner_silent: () => 'The runner stopped responding.',
  runner_deleted: () => 'The runner was deleted.',
  too_long: () => 'The job took too long.',
  not_taken: () => 'No runner picked up the job in time.',
  secret_sealed: () => 'A secret used by the job can no longer be read. Set it again.',
  condition: condition => `The condition \`${condition}\` was false.`,
  needs: () => 'A job that it needs did not succeed.',
  evaluation: message => message,
  fail_fast: name => `The job ${name} failed, and fail-fast is on for the matrix.`,
  replaced: by => `Replaced by ${by} while it waited.`,
  superseded: by => `Canceled for ${by}, which has cancel-in-progress.`,
  deadlock: group => `Failed because of a deadlock: the run itself has the concurrency group ${group}.`,
  call: message => message,
}

/** Explains why a job ended without a report of its runner; undefined if it has not, or if there was a report. */
export const endTextOf = ({
  status,
  end_reason,
  end_message,
}: Pick<JobRow, 'status' | 'end_reason' | 'end_message'>): string | undefined =>
  status === 'completed' && end_reason ? texts[end_reason](end_message) : undefined
