import { type Insertable, type Selectable, type SelectQueryBuilder, sql, type Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { countRows, windowTotal } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { WorkflowVariablesTable } from '@/db/tables/workflow-variables'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'
import { lockOwners, type SettingsScope } from '@/server/scopes'

/** A secret without its value, or a variable. */
export type VariableRow = Omit<Selectable<WorkflowVariablesTable>, 'value_sealed'>

/** Kind of a row. Secrets and variables have separate names. */
export type VariableKind = 'secret' | 'variable'

export const kindOf = ({ is_secret }: Pick<VariableRow, 'is_secret'>): VariableKind =>
  is_secret ? 'secret' : 'variable'

/** Reference to a secret or variable by its stored name. */
export interface VariableRef {
  kind: VariableKind
  name: string
}

const columns = [
  'id',
  'owner_id',
  'repository_id',
  'is_secret',
  'name',
  'value',
  'description',
  'created_at',
  'updated_at',
] as const

export const scopeColumns = (scope: SettingsScope): Pick<VariableRow, 'owner_id' | 'repository_id'> => ({
  owner_id: scope.kind === 'owner' ? scope.ownerId : null,
  repository_id: scope.kind === 'repository' ? scope.repositoryId : null,
})

function variablesOf(
  db: Db,
  scope: SettingsScope,
  kind: VariableKind,
): SelectQueryBuilder<Database, 'workflow_variables', object> {
  const { owner_id, repository_id } = scopeColumns(scope)
  return db
    .selectFrom('workflow_variables')
    .where('owner_id', owner_id === null ? 'is' : '=', owner_id)
    .where('repository_id', repository_id === null ? 'is' : '=', repository_id)
    .where('is_secret', '=', kind === 'secret')
}

/** Selects a page of a scope's secrets or variables by name, with the total count. */
export function selectVariables(
  db: Db,
  scope: SettingsScope,
  kind: VariableKind,
  page: PageRequest,
): Promise<(VariableRow & { total: number })[]> {
  return variablesOf(db, scope, kind)
    .select([...columns, windowTotal])
    .orderBy('name')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
}

export function countVariables(db: Db, scope: SettingsScope, kind: VariableKind): Promise<number> {
  return countRows(variablesOf(db, scope, kind))
}

export function findVariable(
  db: Db,
  scope: SettingsScope,
  ref: VariableRef,
): Promise<VariableRow | undefined> {
  return variablesOf(db, scope, ref.kind).select(columns).where('name', '=', ref.name).executeTakeFirst()
}

/** Returns the number of a scope's other secrets or variables, and the total bytes of their values. */
export async function measureOthers(
  db: Db,
  scope: SettingsScope,
  ref: VariableRef,
): Promise<{ count: number; bytes: number }> {
  return await variablesOf(db, scope, ref.kind)
    .where('name', '<>', ref.name)
    .select([
      sql<number>`count(*)`.as('count'),
      sql<number>`coalesce(sum(octet_length(value)), 0) + coalesce(sum(octet_length(value_sealed)), 0)`.as(
        'bytes',
      ),
    ])
    .executeTakeFirstOrThrow()
}

/** Locks a secret or variable, after its owner, until the transaction ends. Undefined if it was deleted. */
export async function lockVariable(
  trx: Transaction<Database>,
  scope: SettingsScope,
  id: number,
): Promise<VariableRow | undefined> {
  if (scope.kind !== 'site') {
    const repositoryId = scope.kind === 'repository' ? scope.repositoryId : null
    await lockOwners(trx, [{ accountId: scope.ownerId, repositoryId }])
  }
  return await trx
    .selectFrom('workflow_variables')
    .select(columns)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Inserts a row. Undefined if the scope has one with this name. */
export function insertIfAbsent(
  trx: Transaction<Database>,
  row: Insertable<WorkflowVariablesTable>,
): Promise<VariableRow | undefined> {
  return trx
    .insertInto('workflow_variables')
    .values(row)
    .onConflict(conflict => conflict.doNothing())
    .returning(columns)
    .executeTakeFirst()
}

export type VariableChange = Partial<
  Pick<Insertable<WorkflowVariablesTable>, 'name' | 'value' | 'value_sealed' | 'description' | 'updated_at'>
>

export function updateVariable(
  trx: Transaction<Database>,
  id: number,
  change: VariableChange,
): Promise<VariableRow> {
  return trx
    .updateTable('workflow_variables')
    .set(change)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function deleteVariable(trx: Transaction<Database>, id: number): Promise<void> {
  await trx.deleteFrom('workflow_variables').where('id', '=', id).execute()
}

/**
 * Selects what a job of the repository gets under this owner, in order of precedence: first the site's, then the
 * owner's, then the repository's, if it still has this owner.
 */
export function selectForJobs(
  db: Db,
  repository: { id: number; owner_id: number },
  kind: VariableKind,
): Promise<Pick<Selectable<WorkflowVariablesTable>, 'name' | 'value' | 'value_sealed'>[]> {
  return db
    .selectFrom('workflow_variables')
    .select(['name', 'value', 'value_sealed'])
    .where('is_secret', '=', kind === 'secret')
    .where(({ or, and, eb }) =>
      or([
        eb(
          'repository_id',
          '=',
          db
            .selectFrom('repositories')
            .select('id')
            .where('id', '=', repository.id)
            .where('owner_id', '=', repository.owner_id),
        ),
        eb('owner_id', '=', repository.owner_id),
        and([eb('owner_id', 'is', null), eb('repository_id', 'is', null)]),
      ]),
    )
    .orderBy(sql`(owner_id is not null)::int + 2 * (repository_id is not null)::int`)
    .execute()
}

/** Selects the names of a scope's secrets or variables. */
export async function selectNames(db: Db, scope: SettingsScope, kind: VariableKind): Promise<string[]> {
  return (await variablesOf(db, scope, kind).select('name').execute()).map(({ name }) => name)
}

/** Selects the names of what jobs get in addition to the scope's own, ordered by name. */
export function selectInherited(
  db: Db,
  scope: SettingsScope,
  kind: VariableKind,
): Promise<{ name: string; from: 'owner' | 'site' }[]> {
  const ownerId = scope.kind === 'repository' ? scope.ownerId : null
  return db
    .selectFrom('workflow_variables')
    .select([
      'name',
      sql<'owner' | 'site'>`case when owner_id is null then 'site' else 'owner' end`.as('from'),
    ])
    .where('is_secret', '=', kind === 'secret')
    .where(({ or, and, eb }) =>
      or([
        ...(ownerId === null ? [] : [eb('owner_id', '=', ownerId)]),
        ...(scope.kind === 'site'
          ? []
          : [and([eb('owner_id', 'is', null), eb('repository_id', 'is', null)])]),
      ]),
    )
    .orderBy('name')
    .orderBy('from')
    .execute()
}
