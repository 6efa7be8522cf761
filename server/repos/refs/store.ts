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

// Chains of renames end somewhere, but a limit costs nothing.
const maxRenames = 20

/**
 * Selects the names that branches got after they had one of these names, for the longest of these first, each with the
 * first later name first.
 */
export async function selectLaterNames(
  db: Db,
  repositoryId: number,
  names: readonly string[],
): Promise<{ from: string; to: string }[]> {
  const { rows } = await sql<{ from: string; to: string }>`
    with recursive later as (
      select from_name, to_name, 1 as renames from renamed_branches
      where repository_id = ${repositoryId} and from_name = any (${[...names]}::text[])
      union all
      select later.from_name, next.to_name, renames + 1
      from later join renamed_branches next on next.repository_id = ${repositoryId} and next.from_name = later.to_name
      where renames < ${maxRenames}
    )
    select from_name as "from", to_name as "to" from later order by length(from_name) desc, renames`.execute(
    db,
  )
  return rows
}
