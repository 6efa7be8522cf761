import {
  type ExpressionBuilder,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import type { Db } from '@/db/client'
import type { Database } from '@/db/tables'
import type { EventsTable } from '@/db/tables/events'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'
import { type RepositoryRow, repositoryColumns } from '@/server/repos'
import { codeEvents, type Facts, feedEvents } from './kinds'

type Tables = 'events' | 'repositories'

/** Which events a feed is made of: those of an account's repositories, a team's, one repository, or by one person. */
export type FeedSource =
  | { ownerId: number }
  | { teamId: number; ownerId: number }
  | { repositoryId: number }
  | { actorId: number; orOwner: boolean }

export interface FeedFilter {
  source: FeedSource
  /** Leaves out what this caller may not know of. */
  visible: RawBuilder<SqlBool>
  /** Leaves out what was done to code this caller may not read. */
  readable: RawBuilder<SqlBool>
  /** One day in UTC, as `YYYY-MM-DD`. */
  date: string | undefined
}

export interface FeedRow extends Pick<Selectable<EventsTable>, 'id' | 'kind' | 'actor_id' | 'created_at'> {
  facts: Facts
  repository: RepositoryRow
}

/** A page of a feed, newest first. */
export async function selectFeed(db: Db, filter: FeedFilter, page: PageRequest): Promise<FeedRow[]> {
  const rows = await matching(db, filter)
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
    facts: data as unknown as Facts,
    repository,
  }))
}

export async function countFeed(db: Db, filter: FeedFilter): Promise<number> {
  const row = await matching(db, filter)
    .select(eb => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

function matching(
  db: Db,
  { source, visible, readable, date }: FeedFilter,
): SelectQueryBuilder<Database, Tables, object> {
  let query = db
    .selectFrom('events')
    .innerJoin('repositories', 'repositories.id', 'events.repository_id')
    .where('events.kind', 'in', Object.keys(feedEvents))
    .where(eb => fromSource(eb, source))
    .where(visible)
    .where(sql<boolean>`(events.kind not in (${sql.join(codeEvents)}) or ${readable})`)
    // A push that makes a branch is told once, as the branch.
    .where(sql<boolean>`(events.kind <> 'git.pushed' or events.data ->> 'before' !~ '^0+$')`)
  if (date) {
    const start = new Date(`${date}T00:00:00Z`)
    const end = new Date(start.getTime() + 24 * 60 * 60 * 1000)
    query = query.where('events.created_at', '>=', start).where('events.created_at', '<', end)
  }
  return query
}

function fromSource(eb: ExpressionBuilder<Database, Tables>, source: FeedSource) {
  if ('repositoryId' in source) return eb('events.repository_id', '=', source.repositoryId)
  if ('actorId' in source) {
    const performed = eb('events.actor_id', '=', source.actorId)
    return source.orOwner ? eb.or([performed, eb('events.owner_id', '=', source.actorId)]) : performed
  }
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
