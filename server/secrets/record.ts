import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { announce, originOf, recordEvent } from '@/server/events'
import type { ServiceCtx } from '@/server/kernel/ctx'
import type { SettingsScope } from '@/server/scopes'
import { kindOf, type VariableRow } from './store'

type Change = { verb: 'added' | 'removed' } | { verb: 'edited'; changed: string }

/**
 * Records an event about a secret or variable. After the transaction commits, open pages that list it are
 * notified.
 */
export async function recordChange(
  ctx: ServiceCtx,
  trx: Transaction<Database>,
  scope: SettingsScope,
  row: VariableRow,
  change: Change,
): Promise<void> {
  const ownerId = scope.kind === 'site' ? null : scope.ownerId
  const repositoryId = row.repository_id
  const facts = { variableId: row.id, name: row.name, repositoryId }
  const kind = kindOf(row)
  const { verb } = change
  await recordEvent(
    trx,
    originOf(ctx),
    verb === 'edited'
      ? { kind: `${kind}.${verb}`, ownerId, facts: { ...facts, changed: change.changed } }
      : { kind: `${kind}.${verb}`, ownerId, facts },
  )
  announce(trx, { kind: 'variables.changed', ownerId, repositoryId })
}
