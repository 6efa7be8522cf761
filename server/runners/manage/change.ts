import type { UserCtx } from '@/server/kernel/ctx'
import { requireUnchanged } from '@/server/kernel/form-edit'
import { changeRunner } from '../edit'
import { labelsIn, textOfLabels } from '../label-text'
import type { RunnerFor } from '../load'
import type { RunnerRow } from '../store'
import type { PauseRunnerInput, SaveLabelsInput } from './schema'

/**
 * Pauses a runner for the given number of minutes, or else until someone resumes it.
 * @throws {DomainError} notFound if it is deleted concurrently.
 */
export async function pauseRunner(
  ctx: UserCtx,
  runner: RunnerFor,
  { note, resume_in_minutes: minutes }: Pick<PauseRunnerInput, 'note' | 'resume_in_minutes'>,
): Promise<RunnerRow> {
  const end = minutes && new Date(ctx.clock.now().getTime() + minutes * 60_000)
  return await changeRunner(ctx, runner, () => ({
    disabled: true,
    note,
    resume_at: end ? end.toISOString() : '',
  }))
}

/**
 * Saves the labels from a form.
 * @throws {DomainError} notFound if the runner is deleted concurrently; conflict if its labels have changed
 * since the form was shown; invalid for unusable labels.
 */
export async function saveLabels(
  ctx: UserCtx,
  runner: RunnerFor,
  form: Pick<SaveLabelsInput, 'changes' | 'expected'>,
): Promise<RunnerRow> {
  return await changeRunner(ctx, runner, ({ labels }) => {
    requireUnchanged({ labels: textOfLabels(labels) }, form)
    const text = form.changes.labels
    return text === undefined ? {} : { labels: labelsIn(text) }
  })
}
