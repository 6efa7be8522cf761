import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '@/db/client'
import type { Database } from '@/db/tables'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'
import type { Asker } from '@/server/kernel/permissions/decide'
import { isGivenTo } from '../given'
import { type RepositoryRow, repositoryColumns } from '../store'
import { visibleRepositories } from '../visible'

export type SortColumn = 'name' | 'update' | 'size' | 'id'

export interface RepositoryFilter {
  asker: Asker
  text?: string
  inDescriptions: boolean
  ownerId?: number
  /** Besides what the owner has, what was given to this person. */
  orGivenTo?: number
  isPrivate?: boolean
  isTemplate?: boolean
  isArchived?: boolean
}

type Query<O> = SelectQueryBuilder<Database, 'repositories', O>

/** A page of what fits and the asker may see. Names and times of update are in the order of an index, and so are ids. */
export function selectMatching(
  db: Db,
  filter: RepositoryFilter,
  sort: { by: SortColumn; direction: 'asc' | 'desc' },
  page: PageRequest,
): Promise<RepositoryRow[]> {
  const { by, direction } = sort
  let query = matching(db.selectFrom('repositories'), filter).select(repositoryColumns)
  if (by !== 'id') query = query.orderBy(columns[by], direction)
  return query.orderBy('id', direction).limit(page.limit).offset(offsetOf(page)).execute()
}

export async function countMatching(db: Db, filter: RepositoryFilter): Promise<number> {
  const row = await matching(db.selectFrom('repositories'), filter)
    .select(eb => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

const columns = { name: sql`lower(repositories.name)`, update: sql`updated_at`, size: sql`size_kib` } as const

function matching<O>(query: Query<O>, filter: RepositoryFilter): Query<O> {
  const { text, isPrivate, isTemplate, isArchived } = filter
  let narrowed = query.where(visibleRepositories(filter.asker))
  if (filter.ownerId !== undefined) narrowed = narrowed.where(belongsTo(filter.ownerId, filter.orGivenTo))
  if (text) narrowed = narrowed.where(contains(text, filter.inDescriptions))
  if (isPrivate !== undefined) narrowed = narrowed.where('is_private', '=', isPrivate)
  if (isTemplate !== undefined) narrowed = narrowed.where('is_template', '=', isTemplate)
  if (isArchived !== undefined) {
    narrowed = narrowed.where('archived_at', isArchived ? 'is not' : 'is', null)
  }
  return narrowed
}

function belongsTo(ownerId: number, orGivenTo: number | undefined): RawBuilder<SqlBool> {
  const owned = sql<SqlBool>`repositories.owner_id = ${ownerId}`
  if (orGivenTo === undefined) return owned
  return sql`(${owned} or ${isGivenTo(orGivenTo)})`
}

// The database lowers both sides, so that they are lowered alike whatever its locale is.
function contains(text: string, inDescriptions: boolean): RawBuilder<SqlBool> {
  const pattern = sql`lower(${`%${text.replace(/[\\%_]/g, '\\$&')}%`})`
  const inName = sql<SqlBool>`lower(repositories.name) like ${pattern}`
  return inDescriptions ? sql`(${inName} or lower(repositories.description) like ${pattern})` : inName
}
