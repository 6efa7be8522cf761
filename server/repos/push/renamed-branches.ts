import { sql, type Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { isAbsent, isBranch, type RefUpdate } from './ref-update'
import type { PushNote } from './spool'

const prefix = 'refs/heads/'

/**
 * Stores the former name of a branch if a push renamed it, and deletes the former names that branches got since, so that
 * they no longer lead elsewhere. Pushes can be recorded in another order than they were made, so they are compared by
 * when they began. `at` is the present time.
 */
export async function followRenames(
  trx: Transaction<Database>,
  { repositoryId, renamed, startedAt }: Pick<PushNote, 'repositoryId' | 'renamed' | 'startedAt'>,
  updates: readonly RefUpdate[],
  at: Date,
): Promise<void> {
  const made = updates.filter(
    ({ ref, before, after }) => isBranch(ref) && isAbsent(before) && !isAbsent(after),
  )
  if (made.length === 0) return
  const names = made.map(({ ref }) => ref.slice(prefix.length))
  // The clock can have been set back since, or another host's can be ahead.
  const began = startedAt < at ? startedAt : at
  // PostgreSQL stores no other names, because they are not UTF-8.
  const texts = names.filter(name => name.isWellFormed())
  await trx
    .deleteFrom('renamed_branches')
    .where('repository_id', '=', repositoryId)
    .where('from_name', '=', sql<string>`any (${texts}::text[])`)
    .where('renamed_at', '<=', began)
    .execute()
  if (!renamed || !isRename(renamed, updates)) return
  await trx
    .insertInto('renamed_branches')
    .values({
      repository_id: repositoryId,
      from_name: renamed.from,
      to_name: renamed.to,
      renamed_at: began,
    })
    .onConflict(conflict =>
      conflict
        .columns(['repository_id', 'from_name'])
        .doUpdateSet({ to_name: sql`excluded.to_name`, renamed_at: sql`excluded.renamed_at` })
        .whereRef('renamed_branches.renamed_at', '<=', 'excluded.renamed_at'),
    )
    .execute()
}

// After a crash, it can turn out that only a part of it was done, or that a branch was created under the former name.
const isRename = ({ from, to }: NonNullable<PushNote['renamed']>, updates: readonly RefUpdate[]): boolean =>
  updates.some(({ ref, after }) => ref === prefix + from && isAbsent(after)) &&
  updates.some(({ ref, after }) => ref === prefix + to && !isAbsent(after))
