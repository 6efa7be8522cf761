import type { Db } from '@/db/client'

/** Selects the file names of a repository's workflows that are disabled. */
export async function selectDisabled(db: Db, repositoryId: number): Promise<Set<string>> {
  const rows = await db
    .selectFrom('disabled_workflows')
    .select('file')
    .where('repository_id', '=', repositoryId)
    .execute()
  return new Set(rows.map(({ file }) => file))
}

export async function insertDisabled(db: Db, repositoryId: number, file: string): Promise<boolean> {
  const inserted = await db
    .insertInto('disabled_workflows')
    .values({ repository_id: repositoryId, file })
    .onConflict(conflict => conflict.doNothing())
    .returning('file')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function deleteDisabled(db: Db, repositoryId: number, file: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('disabled_workflows')
    .where('repository_id', '=', repositoryId)
    .where('file', '=', file)
    .returning('file')
    .executeTakeFirst()
  return deleted !== undefined
}
