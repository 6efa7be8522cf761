import type { UpdateObject } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import type { UserCtx } from '@/server/kernel/ctx'
import { deleted, unprocessable } from '@/server/kernel/errors'
import { readLabels } from './declared'
import type { RunnerFor } from './load'
import { aboutRunner, actorsOf, recordRunnerEvent } from './record'
import type { RunnerEdit } from './schema'
import { isPaused } from './state'
import { lockRunner, type RunnerRow, updateRunner } from './store'

type Change = UpdateObject<Database, 'runners'>

const enabled = { disabled_at: null, disabled_by: null, disabled_note: '', resume_at: null } as const

/**
 * Pauses or resumes a runner, and changes its note, its resume time and its labels where they are given.
 * Running jobs continue. Values that do not differ from the current ones change nothing.
 * @param editFor Computes the edit from the current runner, which stays locked until the change is made.
 * @throws {DomainError} notFound if the runner is deleted concurrently; unprocessable for a resume time in
 * the past; invalid for unusable labels.
 */
export async function changeRunner(
  ctx: UserCtx,
  { runner: { id } }: RunnerFor,
  editFor: (current: RunnerRow) => Partial<RunnerEdit>,
): Promise<RunnerRow> {
  return await withTransaction(ctx.db, async trx => {
    const current = await lockRunner(trx, id, actorsOf(ctx))
    if (!current) throw deleted('runner')
    const { scopeOwnerId: ownerId, ...before } = current
    const edit = editFor(before)
    const pause = pauseChange(ctx, before, edit)
    const labels = labelsChange(before, edit)
    const columns = { ...pause.columns, ...labels }
    if (Object.keys(columns).length === 0) return before
    const after = (await updateRunner(trx, id, columns)) ?? before
    const about = aboutRunner(after)
    if (pause.kind === 'disabled') {
      const facts = { ...about, note: after.disabled_note, resumeAt: after.resume_at?.toISOString() ?? null }
      await recordRunnerEvent(ctx, trx, after, { kind: 'runner.disabled', ownerId, facts })
    } else if (pause.kind === 'enabled') {
      await recordRunnerEvent(ctx, trx, after, { kind: 'runner.enabled', ownerId, facts: about })
    }
    const changed = [...(pause.kind === 'edited' ? Object.keys(pause.columns) : []), ...Object.keys(labels)]
    if (changed.length > 0) {
      const facts = { ...about, changed: changed.sort().join(' ') }
      await recordRunnerEvent(ctx, trx, after, { kind: 'runner.edited', ownerId, facts })
    }
    return after
  })
}

interface PauseChange {
  kind?: 'disabled' | 'enabled' | 'edited'
  columns: Change
}

function pauseChange(ctx: UserCtx, before: RunnerRow, edit: Partial<RunnerEdit>): PauseChange {
  const now = ctx.clock.now()
  const wasPaused = isPaused(before, now)
  const disabled = edit.disabled ?? wasPaused
  // A pause that has expired is cleared only by the job `runners.resume`.
  if (!disabled) return wasPaused ? { kind: 'enabled', columns: enabled } : { columns: {} }
  const note = edit.note?.trim()
  const resumeAt = readEnd(edit.resume_at, now)
  if (!wasPaused) {
    const columns = {
      disabled_at: now,
      disabled_by: (ctx.caller.actor ?? ctx.caller.user).id,
      disabled_note: note ?? '',
      resume_at: resumeAt ?? null,
    }
    return { kind: 'disabled', columns }
  }
  const columns: Change = {
    ...(note !== undefined && note !== before.disabled_note && { disabled_note: note }),
    ...(resumeAt !== undefined &&
      resumeAt?.getTime() !== before.resume_at?.getTime() && { resume_at: resumeAt }),
  }
  return { ...(Object.keys(columns).length > 0 && { kind: 'edited' }), columns }
}

function readEnd(text: string | undefined, now: Date): Date | null | undefined {
  if (text === undefined) return undefined
  if (text === '') return null
  const end = new Date(text)
  if (end > now) return end
  throw unprocessable('resume_at must be in the future', { field: 'resume_at' })
}

function labelsChange(before: RunnerRow, { labels: newLabels, labels_edited }: Partial<RunnerEdit>): Change {
  const isEdited = newLabels !== undefined
  if (!isEdited && labels_edited !== false) return {}
  const labels = isEdited ? readLabels(newLabels) : before.declared_labels
  const isSame = JSON.stringify(labels) === JSON.stringify(before.labels)
  if (isSame && before.labels_edited === isEdited) return {}
  return { labels: JSON.stringify(labels), labels_edited: isEdited }
}
