import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '@/db/client'
import { anyOf, countRows, likePattern } from '@/db/sql'
import type { Database } from '@/db/tables'
import { isGrantedTo, type Subject, visibleRepositories } from '@/server/access'
import { offsetOf, type Page, type PageRequest, pageFromRows } from '@/server/kernel/pagination'
import { type RepositoryRow, repositoryColumns } from '../store'

export type SortColumn = 'name' | 'creation' | 'update' | 'size' | 'id'

export interface Sort {
  by: SortColumn
  direction: 'asc' | 'desc'
  /** ID of the owner whose repositories are listed first. */
  ownerFirst?: number | undefined
}

/**
 * One search word, with the repository owners whose names match it: their IDs, or an SQL condition on `users`
 * if there are more than 1,000.
 */
export interface SearchTerm {
  text: string
  owners: readonly number[] | RawBuilder<SqlBool>
}

/** A filter for repositories by search words and properties such as visibility, but not by owner. */
export interface Narrowing {
  /** Search words, all of which must match. */
  terms: readonly SearchTerm[]
  inDescriptions: boolean
  isPrivate?: boolean | undefined
  isTemplate?: boolean | undefined
  isArchived?: boolean | undefined
  /** Names of topics, of which a repository must have one. */
  topics?: readonly string[] | undefined
}

export interface RepositoryFilter extends Narrowing {
  subject: Subject
  ownerId?: number | undefined
  /** Excludes repositories owned by this account. */
  notOwnerId?: number | undefined
  /** Finds repositories shared with this person, in addition to those owned by `ownerId` if it is present. */
  sharedWith?: number | undefined
  teamId?: number | undefined
}

type Query<O> = SelectQueryBuilder<Database, 'repositories', O>

/**
 * Selects a page of the repositories that match the filter and that the subject can see, with their total
 * number. Sorting by name, update time or ID uses an index.
 */
export async function selectMatching(
  db: Db,
  filter: RepositoryFilter,
  sort: Sort,
  request: PageRequest,
): Promise<Page<RepositoryRow>> {
  const count = () => countRows(matching(db.selectFrom('repositories'), filter))
  const { page, limit } = request
  // Most of these lists have more than one page, so counting in the same query saves a round trip.
  if (filter.terms.length === 0) {
    const total = sql<number>`(${matching(db.selectFrom('repositories'), filter).select(sql`count(*)`.as('count'))})`
    const rows = await ordered(db, filter, sort, request).select(total.as('total')).execute()
    return await pageFromRows(request, rows, count)
  }
  const items = await ordered(db, filter, sort, request).execute()
  // Counting costs as much as searching, and a first page that is not full contains all results.
  const total = page === 1 && items.length < limit ? items.length : await count()
  return { items, total, page, limit }
}

function ordered(
  db: Db,
  filter: RepositoryFilter,
  { by, direction, ownerFirst }: Sort,
  page: PageRequest,
): Query<RepositoryRow> {
  let query = matching(db.selectFrom('repositories'), filter).select(repositoryColumns)
  if (ownerFirst !== undefined) query = query.orderBy(sql`repositories.owner_id = ${ownerFirst}`, 'desc')
  if (by !== 'id') query = query.orderBy(sortColumns[by], direction)
  return query.orderBy('id', direction).limit(page.limit).offset(offsetOf(page))
}

export const sortColumns = {
  id: sql`repositories.id`,
  name: sql`lower(repositories.name)`,
  creation: sql`repositories.created_at`,
  update: sql`repositories.updated_at`,
  size: sql`repositories.size_kib`,
} as const

function matching<O>(query: Query<O>, filter: RepositoryFilter): Query<O> {
  const { notOwnerId, teamId } = filter
  let narrowed = query
    .where(visibleRepositories(filter.subject))
    .where(drawnFrom(filter))
    .where(isLike(filter))
  if (notOwnerId !== undefined) narrowed = narrowed.where('owner_id', '<>', notOwnerId)
  if (teamId !== undefined) narrowed = narrowed.where(isAttachedTo(teamId))
  return narrowed
}

/** Returns an SQL condition on `repositories` that selects those that match the filter. */
export function isLike(narrowing: Narrowing): RawBuilder<SqlBool> {
  const { terms, isPrivate, isTemplate, isArchived, topics } = narrowing
  const conditions = [
    ...(terms.length > 0 ? [mentionsAll(narrowing)] : []),
    ...(topics ? [hasTopic(topics)] : []),
    ...(isPrivate === undefined
      ? []
      : [isPrivate ? sql`repositories.is_private` : sql`not repositories.is_private`]),
    ...(isTemplate === undefined
      ? []
      : [isTemplate ? sql`repositories.is_template` : sql`not repositories.is_template`]),
    ...(isArchived === undefined
      ? []
      : [sql`repositories.archived_at is ${isArchived ? sql`not null` : sql`null`}`]),
  ]
  return conditions.length > 0 ? sql`(${sql.join(conditions, sql` and `)})` : sql`true`
}

function drawnFrom({ ownerId, sharedWith }: RepositoryFilter): RawBuilder<SqlBool> {
  const owned = sql<SqlBool>`repositories.owner_id = ${ownerId}`
  if (sharedWith === undefined) return ownerId === undefined ? sql`true` : owned
  return ownerId === undefined ? isGrantedTo(sharedWith) : sql`(${owned} or ${isGrantedTo(sharedWith)})`
}

const isAttachedTo = (teamId: number): RawBuilder<SqlBool> => sql`repositories.id in (
  select repository_id from team_repositories where team_id = ${teamId})`

// Runs first, like the text search.
const hasTopic = (topics: readonly string[]): RawBuilder<SqlBool> => sql`repositories.id = any (array(
  select repositories.id from repositories where repositories.topics && ${[...topics]}::text[]))`

// The text search runs first: otherwise the planner prefers to scan all repositories in list order until
// enough match.
function mentionsAll(filter: Narrowing): RawBuilder<SqlBool> {
  const found = sql.join(
    filter.terms.map(term => mentions(term, filter.inDescriptions)),
    sql` and `,
  )
  return sql`repositories.id = any (array(select repositories.id from repositories where ${found}))`
}

// Each part can use its own index, and the planner combines the results.
function mentions(term: SearchTerm, inDescriptions: boolean): RawBuilder<SqlBool> {
  const { text } = term
  const parts = [
    ...(text.includes('/') ? [isNamedLike(term)] : [contains('repositories.name', text), hasOwner(term)]),
    ...(inDescriptions ? [contains('repositories.description', text)] : []),
  ]
  return sql`(${sql.join(parts, sql` or `)})`
}

// The owner's name must end with the part before the slash, and the repository's name must begin with the
// part after it.
function isNamedLike(term: SearchTerm): RawBuilder<SqlBool> {
  const name = term.text.slice(term.text.indexOf('/') + 1)
  return sql`(${contains('repositories.name', name, ['', '%'])} and ${hasOwner(term)})`
}

// With an array, the planner knows how few owners there are, or that there are none.
function hasOwner({ owners }: SearchTerm): RawBuilder<SqlBool> {
  return Array.isArray(owners)
    ? sql`repositories.owner_id = ${anyOf(owners)}`
    : sql`repositories.owner_id in (select users.id from users where ${owners})`
}

const maxOwners = 1000

/**
 * Converts a search word to a search term with the repository owners whose names contain the word. For a word
 * with a slash, such as `owner/name`, finds the owners whose names end with the part before the slash.
 */
export async function findTerm(db: Db, text: string): Promise<SearchTerm> {
  const slash = text.indexOf('/')
  const named =
    slash < 0 ? contains('users.name', text) : contains('users.name', text.slice(0, slash), ['%', ''])
  const found = await db
    .selectFrom('users')
    .select('users.id')
    .where(named)
    .limit(maxOwners + 1)
    .execute()
  return { text, owners: found.length > maxOwners ? named : found.map(owner => owner.id) }
}

// Texts shorter than three characters contain no trigrams.
function contains(column: string, text: string, around?: [string, string]): RawBuilder<SqlBool> {
  const fits = sql<SqlBool>`lower(${sql.ref(column)}) like ${likePattern(text, around)}`
  if ([...text].length < 3) return fits
  return sql`(${fits} and letter_triples(${sql.ref(column)}) @> letter_triples(${text}))`
}
