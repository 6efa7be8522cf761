import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '@/db/client'
import { anyOf, countRows, likePattern } from '@/db/sql'
import type { Database } from '@/db/tables'
import { isGrantedTo, type Subject, visibleRepositories } from '@/server/access'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'
import { type RepositoryRow, repositoryColumns } from '../store'

export type SortColumn = 'name' | 'update' | 'size' | 'id'

export interface Sort {
  by: SortColumn
  direction: 'asc' | 'desc'
  /** Whose repositories come before all others. */
  ownerFirst: number | undefined
}

/** A word to look for, and whose repositories have it in their full names by their owner; a condition where these are many. */
interface Word {
  text: string
  owners: readonly number[] | RawBuilder<SqlBool>
}

export interface RepositoryFilter {
  subject: Subject
  /** All of them must be found. */
  words: readonly Word[]
  inDescriptions: boolean
  ownerId: number | undefined
  /** Leaves out what this account owns. */
  notOwnerId: number | undefined
  /** What was given to this person: besides what the owner has, or alone where no owner is named. */
  givenTo: number | undefined
  teamId: number | undefined
  isPrivate: boolean | undefined
  isTemplate: boolean | undefined
  isArchived: boolean | undefined
}

type Query<O> = SelectQueryBuilder<Database, 'repositories', O>

/** A page of what fits and the subject may see. Names and times of update are in the order of an index, and so are ids. */
export function selectMatching(
  db: Db,
  filter: RepositoryFilter,
  { by, direction, ownerFirst }: Sort,
  page: PageRequest,
): Promise<RepositoryRow[]> {
  let query = matching(db.selectFrom('repositories'), filter).select(repositoryColumns)
  if (ownerFirst !== undefined) query = query.orderBy(sql`repositories.owner_id = ${ownerFirst}`, 'desc')
  if (by !== 'id') query = query.orderBy(columns[by], direction)
  return query.orderBy('id', direction).limit(page.limit).offset(offsetOf(page)).execute()
}

export function countMatching(db: Db, filter: RepositoryFilter): Promise<number> {
  return countRows(matching(db.selectFrom('repositories'), filter))
}

const columns = { name: sql`lower(repositories.name)`, update: sql`updated_at`, size: sql`size_kib` } as const

function matching<O>(query: Query<O>, filter: RepositoryFilter): Query<O> {
  const { words, notOwnerId, teamId, isPrivate, isTemplate, isArchived } = filter
  let narrowed = query.where(visibleRepositories(filter.subject)).where(drawnFrom(filter))
  if (words.length > 0) narrowed = narrowed.where(mentionsAll(filter))
  if (notOwnerId !== undefined) narrowed = narrowed.where('owner_id', '<>', notOwnerId)
  if (teamId !== undefined) narrowed = narrowed.where(isAttachedTo(teamId))
  if (isPrivate !== undefined) narrowed = narrowed.where('is_private', '=', isPrivate)
  if (isTemplate !== undefined) narrowed = narrowed.where('is_template', '=', isTemplate)
  if (isArchived !== undefined) {
    narrowed = narrowed.where('archived_at', isArchived ? 'is not' : 'is', null)
  }
  return narrowed
}

function drawnFrom({ ownerId, givenTo }: RepositoryFilter): RawBuilder<SqlBool> {
  const owned = sql<SqlBool>`repositories.owner_id = ${ownerId}`
  if (givenTo === undefined) return ownerId === undefined ? sql`true` : owned
  return ownerId === undefined ? isGrantedTo(givenTo) : sql`(${owned} or ${isGrantedTo(givenTo)})`
}

const isAttachedTo = (teamId: number): RawBuilder<SqlBool> => sql`repositories.id in (
  select repository_id from team_repositories where team_id = ${teamId})`

// Found first, and then looked at: the planner would rather read all in the order of the list, waiting for some to fit.
function mentionsAll(filter: RepositoryFilter): RawBuilder<SqlBool> {
  const found = sql.join(
    filter.words.map(word => mentions(word, filter.inDescriptions)),
    sql` and `,
  )
  return sql`repositories.id = any (array(select repositories.id from repositories where ${found}))`
}

// Each part can be looked up in an index of its own, which the planner then puts together.
function mentions(word: Word, inDescriptions: boolean): RawBuilder<SqlBool> {
  const { text } = word
  const parts = [
    ...(text.includes('/') ? [isNamedLike(word)] : [contains('repositories.name', text), hasOwner(word)]),
    ...(inDescriptions ? [contains('repositories.description', text)] : []),
  ]
  return sql`(${sql.join(parts, sql` or `)})`
}

// What is before the slash ends the owner's name, and what is behind it begins the repository's.
function isNamedLike(word: Word): RawBuilder<SqlBool> {
  const name = word.text.slice(word.text.indexOf('/') + 1)
  return sql`(${contains('repositories.name', name, ['', '%'])} and ${hasOwner(word)})`
}

// Given one by one the planner knows how few they are, or that there are none.
function hasOwner({ owners }: Word): RawBuilder<SqlBool> {
  return Array.isArray(owners)
    ? sql`repositories.owner_id = ${anyOf(owners)}`
    : sql`repositories.owner_id in (select users.id from users where ${owners})`
}

const maxOwners = 1000

/** A word with the owners in whose names it is; one with a slash, those whose names end with what is before it. */
export async function readWord(db: Db, text: string): Promise<Word> {
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

// Texts of less than three characters have no triples.
function contains(column: string, text: string, around?: [string, string]): RawBuilder<SqlBool> {
  const fits = sql<SqlBool>`lower(${sql.ref(column)}) like ${likePattern(text, around)}`
  if ([...text].length < 3) return fits
  return sql`(${fits} and letter_triples(${sql.ref(column)}) @> letter_triples(${text}))`
}
