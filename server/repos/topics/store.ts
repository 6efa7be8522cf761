import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { countRows, likePattern } from '@/db/sql'
import type { Database } from '@/db/tables'
import { type Subject, visibleRepositories } from '@/server/access'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'

export interface TopicRow {
  id: number
  name: string
  repositories: number
  created_at: Date
  updated_at: Date
}

/**
 * Numbers the topics that a repository got, and dates those that it lost. They stay locked until the
 * transaction ends, in the order of their names.
 */
export async function touchTopics(
  trx: Transaction<Database>,
  names: readonly string[],
  now: Date,
): Promise<void> {
  if (names.length === 0) return
  const rows = [...names].sort().map(name => ({ name, created_at: now, updated_at: now }))
  await trx
    .insertInto('topics')
    .values(rows)
    .onConflict(conflict => conflict.column('name').doUpdateSet({ updated_at: now }))
    .execute()
}

/** Deletes those of the touched topics that no repository has any more. */
export async function deleteUnusedTopics(
  trx: Transaction<Database>,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return
  await trx
    .deleteFrom('topics')
    .where('name', 'in', names)
    .where(
      sql<SqlBool>`not exists (select from repositories where repositories.topics @> array[topics.name::text])`,
    )
    .execute()
}

/**
 * Selects a page of the topics whose name contains the text and that a repository visible to the subject has:
 * those that begin with the text first, then by name.
 */
export async function selectTopics(
  db: Db,
  { text, subject }: { text: string; subject: Subject },
  page: PageRequest,
): Promise<{ items: TopicRow[]; total: number }> {
  const seen = sql`repositories where repositories.topics @> array[topics.name::text] and ${visibleRepositories(subject)}`
  const found = db
    .selectFrom('topics')
    .where(sql<SqlBool>`topics.name like ${likePattern(text)}`)
    .where(sql<SqlBool>`exists (select from ${seen})`)
  const begins: RawBuilder<SqlBool> = sql`topics.name like ${likePattern(text, ['', '%'])}`
  const items = await found
    .select(['id', 'name', 'created_at', 'updated_at'])
    .select(sql<number>`(select count(*) from ${seen})`.as('repositories'))
    .orderBy(begins, 'desc')
    .orderBy('name')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
  const isWhole = page.page === 1 && items.length < page.limit
  return { items, total: isWhole ? items.length : await countRows(found) }
}
