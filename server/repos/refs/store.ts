import { sql } from 'kysely'
import type { Db } from '@/db/client'

/** Returns which of these tags have a release, ignoring case. `withDrafts` also counts draft releases. */
export async function selectReleasedAmong(
  db: Db,
  repositoryId: number,
  { tags, withDrafts }: { tags: readonly string[]; withDrafts: boolean },
): Promise<Set<string>> {
  const { rows } = await sql<{ tag: string }>`
    select given.tag from unnest(${[...tags]}::text[]) as given (tag)
    where exists (
      select from releases
      where repository_id = ${repositoryId} and lower(tag_name) = lower(given.tag)
        and (${withDrafts} or not is_draft))
    order by given.tag`.execute(db)
  return new Set(rows.map(({ tag }) => tag))
}
