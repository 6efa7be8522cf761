import {
  type Expression,
  type ExpressionBuilder,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import type { Db } from '@/db/client'
import { prepared } from '@/db/prepared'
import { anyOf } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { EventsTable } from '@/db/tables/events'
import { type Subject, visibleOrganizations, visiblePeople } from '@/server/access'
import { guardedKinds } from '@/server/events'
import { dayMs } from '@/server/kernel/clock'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'
import { type RepositoryRow, repositoryColumns } from '@/server/repos'

type Tables = 'events' | 'repositories'

/**
 * Source of a feed's events: an account's repositories, those of a person and their organizations, a team's
 * repositories, one repository, or the actions of one person.
 */
export type FeedSource =
  | { ownerId: number }
  | { memberId: number }
  | { teamId: number; ownerId: number }
  | { repositoryId: number }
  | { actorId: number; orOwner: boolean }

export interface FeedFilter {
  source: FeedSource
  /** The viewer; actions of people who hide their activity from them are left out. */
  subject: Subject
  /** Condition that a repository is visible to the viewer. */
  visible: RawBuilder<SqlBool>
  /** Conditions that the viewer can read a repository's code or releases. */
  readable: Record<keyof typeof guardedKinds, RawBuilder<SqlBool>>
  /** Day in UTC, as `YYYY-MM-DD`. */
  date: string | undefined
}

export interface FeedRow
  extends Pick<Selectable<EventsTable>, 'id' | 'kind' | 'data' | 'actor_id' | 'created_at'> {
  repository: RepositoryRow
}

/** Returns the names of these accounts by ID, without accounts that are hidden from the subject. */
export async function selectVisibleNames(
  db: Db,
  subject: Subject,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('id', '=', anyOf(ids))
    .where(
      sql<SqlBool>`case kind when 'person' then ${visiblePeople(subject) ?? sql`true`} else ${visibleOrganizations(subject)} end`,
    )
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Returns a page of a feed, newest entries first. */
export async function selectFeed(db: Db, filter: FeedFilter, page: PageRequest): Promise<FeedRow[]> {
  const rows = await matching(db, filter)
    // The home page of each repository has this one.
    .$if('repositoryId' in filter.source, query => query.modifyFront(prepared))
    .select([
      ...repositoryColumns,
      'events.id as event_id',
      'events.kind',
      'events.actor_id',
      'events.data',
      'events.created_at as event_at',
    ])
    .orderBy('events.id', 'desc')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
  return rows.map(({ event_id, kind, actor_id, data, event_at, ...repository }) => ({
    id: event_id,
    kind,
    actor_id,
    created_at: event_at,
    data,
    repository,
  }))
}

/**
 * Returns the number of entries in a feed. Evaluates access once per repository rather than per event, and
 * counts the events with an index-only scan.
 */
export async function countFeed(
  db: Db,
  { source, subject, visible, readable, date }: FeedFilter,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with seen as materialized (
      select repositories.id, repositories.owner_id, repositories.owned_since_event, ${readable.code} as shows_code,
        ${readable.releases} as shows_releases
      from repositories
      where ${repositoriesOf(source)} and ${visible})
    select count(*) as count
    from seen
    join events on events.repository_id = seen.id and events.in_feed
    where ${isOpen({ code: sql`seen.shows_code`, releases: sql`seen.shows_releases` })}
      and ${isOfSource(source, 'seen')}
      and ${byWhoShowsIt(subject)}
      and ${date ? onDay(date) : sql`true`}`.execute(db)
  return rows[0]?.count ?? 0
}

// Repositories that a feed's events can be in; an index supports each case.
function repositoriesOf(source: FeedSource): RawBuilder<SqlBool> {
  if ('repositoryId' in source) return sql`repositories.id = ${source.repositoryId}`
  if ('teamId' in source) {
    return sql`repositories.id in (
      select repository_id from team_repositories where team_id = ${source.teamId})`
  }
  if ('ownerId' in source) return sql`repositories.owner_id = ${source.ownerId}`
  if ('memberId' in source) return sql`repositories.owner_id in (${ownAccounts(source.memberId)})`
  const performed = sql<SqlBool>`repositories.id in (
    select repository_id from events where actor_id = ${source.actorId} and in_feed)`
  return source.orOwner ? sql`(repositories.owner_id = ${source.actorId} or ${performed})` : performed
}

function matching(
  db: Db,
  { source, subject, visible, readable, date }: FeedFilter,
): SelectQueryBuilder<Database, Tables, object> {
  const query = db
    .selectFrom('events')
    .innerJoin('repositories', 'repositories.id', 'events.repository_id')
    .where('events.in_feed', '=', true)
    .where(eb => fromSource(eb, source))
    .where(isOfSource(source, 'repositories'))
    .where(byWhoShowsIt(subject))
    .where(visible)
    .where(isOpen(readable))
  return date ? query.where(onDay(date)) : query
}

// Leaves out events about parts of a repository that the viewer cannot read.
function isOpen(readable: FeedFilter['readable']): RawBuilder<SqlBool> {
  const { code, releases } = guardedKinds
  return sql`(events.kind not in (${sql.join(code)}) or ${readable.code})
    and (events.kind not in (${sql.join(releases)}) or ${readable.releases})`
}

// People who hide their activity can still see it themselves, and so can administrators.
function byWhoShowsIt(subject: Subject): RawBuilder<SqlBool> {
  if (subject.kind === 'user' && subject.isAdmin) return sql`true`
  const hides = sql`actors.id = events.actor_id and actors.hide_activity`
  return subject.kind === 'user'
    ? sql`not exists (select from users as actors where ${hides} and actors.id <> ${subject.id})`
    : sql`not exists (select from users as actors where ${hides})`
}

function onDay(date: string): RawBuilder<SqlBool> {
  const start = new Date(`${date}T00:00:00Z`)
  const end = new Date(start.getTime() + dayMs)
  return sql`(events.created_at >= ${start} and events.created_at < ${end})`
}

// An account's feed leaves out events from before the account owned the repository.
function isOfSource(source: FeedSource, repositories: 'seen' | 'repositories'): RawBuilder<SqlBool> {
  if ('repositoryId' in source) return sql`true`
  const begin = sql.ref(`${repositories}.owned_since_event`)
  // The first part tells the planner that this condition filters out very few rows.
  const since = sql<SqlBool>`(${begin} = 0 or events.id >= ${begin})`
  if (!('actorId' in source)) return since
  const { actorId, orOwner } = source
  const performed = sql<SqlBool>`events.actor_id = ${actorId}`
  const owner = sql.ref(`${repositories}.owner_id`)
  return orOwner ? sql`(${performed} or (${owner} = ${actorId} and ${since}))` : performed
}

function fromSource(eb: ExpressionBuilder<Database, Tables>, source: FeedSource): Expression<SqlBool> {
  if ('repositoryId' in source) return eb('events.repository_id', '=', source.repositoryId)
  if ('actorId' in source) {
    const performed = eb('events.actor_id', '=', source.actorId)
    return source.orOwner ? eb.or([performed, eb('events.owner_id', '=', source.actorId)]) : performed
  }
  if ('memberId' in source) return sql`events.owner_id in (${ownAccounts(source.memberId)})`
  const owned = eb('events.owner_id', '=', source.ownerId)
  if (!('teamId' in source)) return owned
  const attached = eb.exists(
    eb
      .selectFrom('team_repositories')
      .select('team_repositories.repository_id')
      .where('team_repositories.team_id', '=', source.teamId)
      .whereRef('team_repositories.repository_id', '=', 'events.repository_id'),
  )
  return eb.and([owned, attached])
}

const ownAccounts = (userId: number): RawBuilder<unknown> => sql`
  select ${userId}::bigint union all select org_id from organization_members where user_id = ${userId}`
