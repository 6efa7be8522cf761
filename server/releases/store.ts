import {
  type Insertable,
  type Selectable,
  type SelectQueryBuilder,
  sql,
  type Transaction,
  type Updateable,
} from 'kysely'
import type { Db } from '@/db/client'
import { fixedQuery } from '@/db/fixed-query'
import { prepared } from '@/db/prepared'
import { countRows, windowTotal } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { ReleasesTable } from '@/db/tables/releases'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'

export type ReleaseRow = Selectable<ReleasesTable>

export const releaseColumns = [
  'releases.id',
  'releases.repository_id',
  'releases.publisher_id',
  'releases.tag_name',
  'releases.target',
  'releases.sha',
  'releases.title',
  'releases.body',
  'releases.tag_message',
  'releases.is_draft',
  'releases.lost_tag',
  'releases.by_run',
  'releases.is_prerelease',
  'releases.created_at',
  'releases.updated_at',
] as const

/** Filters for a repository's releases. An undefined field does not filter. */
export interface ReleaseFilter {
  isDraft?: boolean | undefined
  isPrerelease?: boolean | undefined
}

function releasesOf(
  db: Db,
  repositoryId: number,
  { isDraft, isPrerelease }: ReleaseFilter = {},
): SelectQueryBuilder<Database, 'releases', object> {
  let releases = db.selectFrom('releases').where('repository_id', '=', repositoryId)
  if (isDraft !== undefined) releases = releases.where('is_draft', '=', isDraft)
  if (isPrerelease !== undefined) releases = releases.where('is_prerelease', '=', isPrerelease)
  return releases
}

/** Selects a page of a repository's releases, newest first, with the total count. */
export function selectReleases(
  db: Db,
  repositoryId: number,
  filter: ReleaseFilter,
  page: PageRequest,
): Promise<(ReleaseRow & { total: number })[]> {
  return releasesOf(db, repositoryId, filter)
    .select([...releaseColumns, windowTotal])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
}

export function countReleases(db: Db, repositoryId: number, filter: ReleaseFilter): Promise<number> {
  return countRows(releasesOf(db, repositoryId, filter))
}

export function findRelease(db: Db, repositoryId: number, id: number): Promise<ReleaseRow | undefined> {
  return releasesOf(db, repositoryId).select(releaseColumns).where('id', '=', id).executeTakeFirst()
}

/** Finds a release by tag name, ignoring case. */
export function findReleaseByTag(db: Db, repositoryId: number, tag: string): Promise<ReleaseRow | undefined> {
  return releasesOf(db, repositoryId)
    .select(releaseColumns)
    .where(sql`lower(tag_name)`, '=', sql`lower(${tag})`)
    .executeTakeFirst()
}

/** Finds a repository's newest release that is neither a draft nor a pre-release. */
export async function findLatestRelease(db: Db, repositoryId: number): Promise<ReleaseRow | undefined> {
  return (await latestReleases(db, { repositoryId }))[0]
}

const latestReleases = fixedQuery((db, { repositoryId }: { repositoryId: number }) =>
  releasesOf(db, repositoryId, { isDraft: false, isPrerelease: false })
    .modifyFront(prepared)
    .select(releaseColumns)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1),
)

/**
 * Locks a release until the transaction ends and returns its current row; undefined if it was deleted. A
 * transaction that also locks the repository must do so first.
 */
export function lockRelease(trx: Transaction<Database>, id: number): Promise<ReleaseRow | undefined> {
  return trx.selectFrom('releases').select(releaseColumns).where('id', '=', id).forUpdate().executeTakeFirst()
}

export function insertRelease(
  trx: Transaction<Database>,
  release: Insertable<ReleasesTable>,
): Promise<ReleaseRow> {
  return trx.insertInto('releases').values(release).returning(releaseColumns).executeTakeFirstOrThrow()
}

export type ReleaseChange = Updateable<ReleasesTable>

export function updateRelease(
  trx: Transaction<Database>,
  id: number,
  change: ReleaseChange,
): Promise<ReleaseRow> {
  return trx
    .updateTable('releases')
    .set(change)
    .where('id', '=', id)
    .returning(releaseColumns)
    .executeTakeFirstOrThrow()
}

export async function deleteRelease(trx: Transaction<Database>, id: number): Promise<void> {
  await trx.deleteFrom('releases').where('id', '=', id).execute()
}
