import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { announce, type NewEvent, originOf, recordEvents } from '@/server/events'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { type NewStatuses, type StatusRow, statusInsertion } from './store'

/**
 * Inserts statuses of commits of a repository that is locked against deletion, in one statement. After the
 * commit, open pages are notified. Events are recorded only if a webhook subscribes to statuses, because runs
 * write several for each of their jobs.
 */
export async function recordStatuses(
  trx: Transaction<Database>,
  ctx: ServiceCtx,
  { id: repositoryId, owner_id: ownerId }: { id: number; owner_id: number },
  rows: NewStatuses,
): Promise<StatusRow[]> {
  const { rows: statuses } = await statusInsertion(repositoryId, rows).execute(trx)
  if (!statuses[0]) return []
  announce(trx, { kind: 'status.changed', repositoryId })
  if (statuses[0].is_awaited)
    await recordEvents(
      trx,
      originOf(ctx),
      statuses.map(
        ({ sha, number, context, state }): NewEvent => ({
          kind: 'status.created',
          ownerId,
          repositoryId,
          facts: { repositoryId, sha, number, context, state },
        }),
      ),
    )
  return statuses
}
