import type { Expression, ExpressionBuilder, Insertable, Selectable, SqlBool, Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { countRows } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { LabelsTable } from '@/db/tables/labels'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'

export type LabelRow = Selectable<LabelsTable>

const columns = [
  'id',
  'repository_id',
  'org_id',
  'name',
  'color',
  'description',
  'is_exclusive',
  'is_archived',
] as const satisfies (keyof LabelRow)[]

/** What labels belong to: a repository or an organization. */
export type HolderRef = { repository_id: number; org_id: null } | { repository_id: null; org_id: number }

const isOf =
  ({ repository_id, org_id }: HolderRef) =>
  (eb: ExpressionBuilder<Database, 'labels'>): Expression<SqlBool> =>
    repository_id === null ? eb('org_id', '=', org_id) : eb('repository_id', '=', repository_id)

/** Selects a page of labels in the order of their names, and counts all of them. */
export async function selectLabels(
  db: Db,
  holder: HolderRef,
  { order, ...page }: PageRequest & { order: 'asc' | 'desc' },
): Promise<{ items: LabelRow[]; total: number }> {
  const all = db.selectFrom('labels').where(isOf(holder))
  const items = await all
    .select(columns)
    .orderBy('name', order)
    .orderBy('id', order)
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
  return { items, total: await countRows(all) }
}

/** Finds a label by its ID or, the oldest one of several, by its name. */
export function findLabel(
  db: Db,
  holder: HolderRef,
  by: { id: number } | { name: string },
): Promise<LabelRow | undefined> {
  const all = db.selectFrom('labels').select(columns).where(isOf(holder))
  const found = 'id' in by ? all.where('id', '=', by.id) : all.where('name', '=', by.name)
  return found.orderBy('id').limit(1).executeTakeFirst()
}

export type NewLabel = Omit<Insertable<LabelsTable>, 'id' | keyof HolderRef>

/** Inserts labels of one repository or organization. */
export function insertLabels(
  trx: Transaction<Database>,
  holder: HolderRef,
  labels: readonly NewLabel[],
): Promise<LabelRow[]> {
  return trx
    .insertInto('labels')
    .values(labels.map(label => ({ ...label, ...holder })))
    .returning(columns)
    .execute()
}

export function countLabels(db: Db, holder: HolderRef): Promise<number> {
  return countRows(db.selectFrom('labels').where(isOf(holder)))
}

/** Updates a label and returns its new row. */
export function updateLabel(
  trx: Transaction<Database>,
  id: number,
  change: Partial<NewLabel>,
): Promise<LabelRow> {
  return trx
    .updateTable('labels')
    .set(change)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Deletes a label, and returns whether it existed. */
export async function deleteLabel(
  trx: Transaction<Database>,
  holder: HolderRef,
  id: number,
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('labels')
    .where('id', '=', id)
    .where(isOf(holder))
    .executeTakeFirst()
  return numDeletedRows > 0n
}
