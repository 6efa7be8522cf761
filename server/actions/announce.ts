import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { announce, type NewEvent, originOf, recordEvent } from '@/server/events'
import type { ServiceCtx } from '@/server/kernel/ctx'
import type { RunRow } from './store'

type Place = { id: number; owner_id: number }

/** The owner, the repository, and the facts common to all events of runs. */
export function aboutRun(
  { id: repositoryId, owner_id: ownerId }: Place,
  { id: runId, number, attempt, event }: RunRow,
): Pick<NewEvent<'run.created'>, 'ownerId' | 'repositoryId' | 'facts'> {
  return { ownerId, repositoryId, facts: { repositoryId, runId, number, attempt, event } }
}

/** Records that the latest attempt of a run completed. */
export async function recordCompletion(
  trx: Transaction<Database>,
  ctx: ServiceCtx,
  repository: Place,
  run: RunRow,
): Promise<void> {
  const { facts, ...place } = aboutRun(repository, run)
  const conclusion = run.conclusion ?? 'skipped'
  await recordEvent(trx, originOf(ctx), {
    kind: 'run.completed',
    ...place,
    facts: { ...facts, conclusion },
  })
}

/** Notifies open pages, after the commit, that a run, one of its jobs or its artifacts changed. */
export function announceRun(
  trx: Transaction<Database>,
  { id: runId, repository_id: repositoryId }: Pick<RunRow, 'id' | 'repository_id'>,
): void {
  announce(trx, { kind: 'run.changed', runId, repositoryId })
}
