import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '@/db/client'
import { anyOf, countRows, likePattern, windowTotal } from '@/db/sql'
import type { Database } from '@/db/tables'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'
import { type ReleaseRow, releaseColumns } from '../store'
import type { ReleaseCounts, ReleaseKind } from './schema'

/** The filters of a list of releases. */
export interface Wanted {
  q: string
  kind: ReleaseKind
  withDrafts: boolean
}

function releasesOf(
  db: Db,
  repositoryId: number,
  { q, kind, withDrafts }: Wanted,
): SelectQueryBuilder<Database, 'releases', object> {
  let releases = db.selectFrom('releases').where('releases.repository_id', '=', repositoryId)
  if (kind !== 'all') releases = releases.where('is_draft', '=', kind === 'draft')
  if (kind === 'stable' || kind === 'prerelease') {
    releases = releases.where('is_prerelease', '=', kind === 'prerelease')
  }
  if (!withDrafts) releases = releases.where('is_draft', '=', false)
  const pattern = likePattern(q)
  return q
    ? releases.where(sql<SqlBool>`(lower(title) like ${pattern} or lower(tag_name) like ${pattern})`)
    : releases
}

/**
 * Selects a page of a repository's releases, with the total count. Drafts come first, because they are work
 * in progress, then the newest.
 */
export function selectShownReleases(
  db: Db,
  repositoryId: number,
  wanted: Wanted,
  page: PageRequest,
): Promise<(ReleaseRow & { total: number })[]> {
  return releasesOf(db, repositoryId, wanted)
    .select([...releaseColumns, windowTotal])
    .orderBy('is_draft', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
}

export function countShownReleases(db: Db, repositoryId: number, wanted: Wanted): Promise<number> {
  return countRows(releasesOf(db, repositoryId, wanted))
}

export function countReleasesByKind(db: Db, repositoryId: number): Promise<ReleaseCounts> {
  const count = (condition: string) => sql<number>`count(*) filter (where ${sql.raw(condition)})`
  return db
    .selectFrom('releases')
    .where('repository_id', '=', repositoryId)
    .select([
      count('not is_draft and not is_prerelease').as('stable'),
      count('not is_draft and is_prerelease').as('prerelease'),
      count('is_draft').as('draft'),
    ])
    .executeTakeFirstOrThrow()
}

/** A file with its uploader, as pages show it. */
export interface AssetRow {
  id: number
  uuid: string
  release_id: number
  name: string
  size: number
  sha256: Buffer
  download_count: number
  created_at: Date
  uploader_id: number | null
  uploader: string | null
  /** The number of all files of the release. */
  of_release: number
  /** The ID of the newest file with this name, which is the file that the URL with the name serves. */
  newest_of_name: number
}

/** Selects the files of several releases, at most `limit` of each, sorted by release ID and name. */
export function selectShownAssets(
  db: Db,
  releaseIds: readonly number[],
  limit?: number,
): Promise<AssetRow[]> {
  return db
    .selectFrom('releases')
    .innerJoinLateral(
      eb => {
        const files = eb
          .selectFrom('attachments')
          .select(['id', 'uuid', 'release_id', 'name', 'size', 'sha256', 'download_count', 'created_at'])
          .select([
            'uploader_id',
            sql<number>`count(*) over ()`.as('of_release'),
            sql<number>`max(id) over (partition by name collate "C")`.as('newest_of_name'),
          ])
          .whereRef('release_id', '=', 'releases.id')
          .where('deleted_at', 'is', null)
          .orderBy(sql`name collate "C"`)
          .orderBy('id')
        return (limit === undefined ? files : files.limit(limit)).as('files')
      },
      join => join.onTrue(),
    )
    .leftJoin('users', 'users.id', 'files.uploader_id')
    .selectAll('files')
    .select('users.name as uploader')
    .where('releases.id', '=', anyOf(releaseIds))
    .orderBy('files.release_id')
    .orderBy(sql`files.name collate "C"`)
    .orderBy('files.id')
    .execute()
}
