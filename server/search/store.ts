import { type RawBuilder, type Selectable, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '@/db/client'
import { countRows, likePattern } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { AccountKind, UsersTable } from '@/db/tables/users'
import { hasMember, type Subject } from '@/server/access'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'
import type { Found } from './schema'
import { all, any, hasLetters, hasTerms, type Shelf } from './search-rows'

type Condition = RawBuilder<SqlBool>

/** Search definition of the repositories that meet this condition, sorted by name, then by `owner/name`. */
export const repositories = (visible: Condition): Shelf<Found['repositories'][number]> => ({
  table: 'repositories',
  columns: ['id', 'owner_id', 'owner_name', 'name', 'is_private', 'archived_at', 'search_name'],
  shown: sql`repositories.owner_name as owner, repositories.name,
    case when repositories.is_private then 'private'
      when exists (select from users where users.id = repositories.owner_id and users.visibility = 'private')
      then 'internal' else 'public' end as visibility,
    repositories.archived_at is not null as is_archived`,
  among: sql`true`,
  visible,
  orders: [sql`lower(repositories.name) collate "C"`, sql`repositories.search_name`],
})

/**
 * Search definition of the accounts of this kind that meet this condition, sorted by username, then by full
 * name.
 */
export const accounts = (
  kind: AccountKind,
  visible: Condition = sql`true`,
): Shelf<Found['people'][number]> => ({
  table: 'users',
  columns: ['id', 'name', 'full_name', 'visibility', 'search_name'],
  shown: sql`users.name, users.full_name, users.visibility`,
  among: sql`users.kind = ${sql.lit(kind)}`,
  visible,
  orders: [sql`lower(users.name) collate "C"`, sql`lower(users.full_name) collate "C"`],
})

export interface AccountFilter {
  kind: AccountKind
  /** Words that the username and full name together must all contain. */
  terms: readonly string[]
  /** Condition that an account is visible to the viewer; undefined if all are. */
  visible: Condition | undefined
}

type AccountsQuery<O> = SelectQueryBuilder<Database, 'users', O>

type AccountRow = Pick<
  Selectable<UsersTable>,
  'id' | 'name' | 'full_name' | 'description' | 'location' | 'visibility' | 'created_at'
> & { total: number }

/**
 * Returns a page of accounts that match the filter, with the total. Without words, the page is read from an
 * index.
 */
export function selectAccounts(
  db: Db,
  filter: AccountFilter,
  sort: 'name' | 'newest',
  page: PageRequest,
): Promise<AccountRow[]> {
  const query = among(db.selectFrom('users'), filter).select([
    'users.id',
    'users.name',
    'users.full_name',
    'users.description',
    'users.location',
    'users.visibility',
    'users.created_at',
    among(db.selectFrom('users'), filter)
      .select(sql<number>`count(*)`.as('count'))
      .$asScalar()
      .$castTo<number>()
      .as('total'),
  ])
  const sorted =
    sort === 'name'
      ? query.orderBy(sql`lower(users.name) collate "C"`).orderBy('users.id')
      : query.orderBy('users.id', 'desc')
  return sorted.limit(page.limit).offset(offsetOf(page)).execute()
}

export function countAccounts(db: Db, filter: AccountFilter): Promise<number> {
  return countRows(among(db.selectFrom('users'), filter))
}

function among<O>(query: AccountsQuery<O>, { kind, terms, visible }: AccountFilter): AccountsQuery<O> {
  const users = { table: 'users' } as const
  const narrowed = query
    .where('users.kind', '=', sql.lit(kind))
    .where(all([hasTerms(users, terms), hasLetters(users, terms)]))
  return visible ? narrowed.where(visible) : narrowed
}

/**
 * Returns teams whose organization's and own names contain all of these words. Searches the organizations
 * that the person is in or, for administrators, all of them. Reads every team of these organizations, which
 * takes milliseconds for thousands of teams.
 */
export async function selectTeams(
  db: Db,
  subject: Extract<Subject, { kind: 'user' }>,
  terms: readonly string[],
  limit: number,
): Promise<Found['teams']> {
  const { rows } = await sql<Found['teams'][number]>`
    select users.name as org, teams.name
    from teams join users on users.id = teams.org_id
    where ${subject.isAdmin ? sql`true` : hasMember(subject.id)}
      and ${subject.publicOnly ? sql`users.visibility = 'public'` : sql`true`}
      and ${all(terms.map(term => sql`lower(users.name || '/' || teams.name) like ${likePattern(term)}`))}
    order by ${any(terms.map(term => sql`lower(teams.name) = lower(${term})`))} desc,
      ${any(terms.map(term => sql`lower(teams.name) like ${likePattern(term, ['', '%'])}`))} desc,
      lower(teams.name), lower(users.name)
    limit ${limit}`.execute(db)
  return rows
}
