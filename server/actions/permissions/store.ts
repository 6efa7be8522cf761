import { type ExpressionBuilder, type Selectable, sql, type Transaction } from 'kysely'
import type { Db } from '@/db/client'
import type { Database } from '@/db/tables'
import type { WorkflowPermissionsTable } from '@/db/tables/workflow-permissions'
import type { SettingsScope } from '@/server/scopes'
import type { PermissionFields } from './schema'

const columns = [
  'default_permissions',
  'max_contents',
  'max_actions',
  'max_statuses',
  'max_packages',
  'access_level',
] as const

type PermissionsRow = Pick<Selectable<WorkflowPermissionsTable>, (typeof columns)[number]>

const unset: PermissionFields = {
  default: 'inherit',
  contents: 'write',
  actions: 'write',
  statuses: 'write',
  packages: 'write',
  access_level: 'none',
}

// The site inherits nothing.
const defaultOf = ({ kind }: SettingsScope) => (kind === 'site' ? 'read' : 'inherit')

const fieldsOf = (scope: SettingsScope, row: PermissionsRow): PermissionFields => ({
  default: row.default_permissions ?? defaultOf(scope),
  contents: row.max_contents,
  actions: row.max_actions,
  statuses: row.max_statuses,
  packages: row.max_packages,
  access_level: row.access_level,
})

const ownerOf = (scope: SettingsScope): number | null => (scope.kind === 'owner' ? scope.ownerId : null)
const repositoryOf = (scope: SettingsScope): number | null =>
  scope.kind === 'repository' ? scope.repositoryId : null

// No index serves `is not distinct from`.
function isOfScope(eb: ExpressionBuilder<Database, 'workflow_permissions'>, scope: SettingsScope) {
  const [owner, repository] = [ownerOf(scope), repositoryOf(scope)]
  return eb.and([
    eb('owner_id', owner === null ? 'is' : '=', owner),
    eb('repository_id', repository === null ? 'is' : '=', repository),
  ])
}

const ofScope = (db: Db, scope: SettingsScope) =>
  db
    .selectFrom('workflow_permissions')
    .select(columns)
    .where(eb => isOfScope(eb, scope))

/** Reads the settings of a scope; those that nobody has set have their default. */
export async function readPermissions(db: Db, scope: SettingsScope): Promise<PermissionFields> {
  const row = await ofScope(db, scope).executeTakeFirst()
  return row ? fieldsOf(scope, row) : { ...unset, default: defaultOf(scope) }
}

/** Reads the settings of a scope and locks them until the transaction ends. */
export async function lockPermissions(
  trx: Transaction<Database>,
  scope: SettingsScope,
): Promise<PermissionFields> {
  await trx
    .insertInto('workflow_permissions')
    .values({ owner_id: ownerOf(scope), repository_id: repositoryOf(scope), default_permissions: null })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  return fieldsOf(scope, await ofScope(trx, scope).forUpdate().executeTakeFirstOrThrow())
}

/** Writes the settings of a scope, which `lockPermissions` has locked. */
export async function writePermissions(
  trx: Transaction<Database>,
  scope: SettingsScope,
  fields: PermissionFields,
): Promise<void> {
  await trx
    .updateTable('workflow_permissions')
    .set({
      default_permissions: fields.default === 'inherit' ? null : fields.default,
      max_contents: fields.contents,
      max_actions: fields.actions,
      max_statuses: fields.statuses,
      max_packages: fields.packages,
      access_level: fields.access_level,
      updated_at: sql<Date>`now()`,
    })
    .where(eb => isOfScope(eb, scope))
    .execute()
}

/** Returns who may call the reusable workflows of a repository that is not public. */
export async function accessLevelOf(db: Db, repositoryId: number): Promise<PermissionFields['access_level']> {
  const row = await ofScope(db, { kind: 'repository', repositoryId } as SettingsScope).executeTakeFirst()
  return row?.access_level ?? 'none'
}
