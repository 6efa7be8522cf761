import { type RawBuilder, type Selectable, sql, type Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { fixedQuery } from '@/db/fixed-query'
import { prepared } from '@/db/prepared'
import { anyOf, countRows } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { CommitStatusesTable, StatusState } from '@/db/tables/commit-statuses'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'

export type StatusRow = Selectable<CommitStatusesTable>

const columns = [
  'repository_id',
  'sha',
  'number',
  'context',
  'state',
  'description',
  'target_url',
  'creator_id',
  'source',
  'created_at',
] as const satisfies (keyof StatusRow)[]

const isAwaited = (repositoryId: number): RawBuilder<boolean> => sql`exists (
  select from hooks where 'status' = any (events) and (scope = 'system' or repository_id = ${repositoryId}
    or owner_id = (select owner_id from repositories where id = ${repositoryId})))`

/** Maximum number of statuses of a commit with the same context, as on GitHub. */
export const maxPerContext = 1000

/**
 * Query that returns statuses to insert: all columns of `commit_statuses` but the repository and the number, and
 * `position`, in whose order they are numbered.
 */
export type NewStatuses = RawBuilder<unknown>

/** An inserted status, and whether a webhook that covers the repository subscribes to statuses. */
type InsertedStatus = StatusRow & { is_awaited: boolean }

/**
 * Returns the statement that inserts the rows of a query as statuses of commits of a locked repository, and returns them
 * in order. For statuses of runs, which nobody could be told about a limit, it deletes the oldest ones of a context that
 * has too many.
 */
export const statusInsertion = (repositoryId: number, rows: NewStatuses): RawBuilder<InsertedStatus> =>
  sql<InsertedStatus>`
    with given as (
      select wanted.*, row_number() over (partition by sha order by position) as place, not exists (
        select from commit_statuses old
        where old.repository_id = ${repositoryId} and old.sha = wanted.sha and old.context = wanted.context) as is_first
      from (${rows}) wanted
    ),
    totals as (
      insert into commit_status_totals as total (repository_id, sha, last_number, contexts)
      select ${repositoryId}, sha, count(*), count(distinct context) filter (where is_first)
      from given group by sha order by sha
      on conflict (repository_id, sha) do update
      set last_number = total.last_number + excluded.last_number, contexts = total.contexts + excluded.contexts
      returning sha, last_number
    ),
    numbered as (
      select given.*, last_number - count(*) over (partition by given.sha) + place as number
      from given join totals on totals.sha = given.sha
    ),
    inserted as (
      insert into commit_statuses (repository_id, sha, number, context, state, description, target_url, creator_id, source, created_at)
      select ${repositoryId}, sha, number, context, state, description, target_url, creator_id, source, created_at
      from numbered
      returning *
    ),
    deleted as (
      delete from commit_statuses old using (select distinct sha, context from given where source = 'run') added
      where old.repository_id = ${repositoryId} and old.sha = added.sha and old.context = added.context
      and old.number <= (
        select number from commit_statuses kept
        where kept.repository_id = ${repositoryId} and kept.sha = added.sha and kept.context = added.context
        order by number desc limit 1 offset ${maxPerContext - 1})
    )
    select inserted.*, ${isAwaited(repositoryId)} as is_awaited
    from inserted order by sha, number`

/**
 * Condition that the repository still belongs to the owner, that no webhook subscribes to its statuses, and that a commit
 * has fewer statuses and contexts than these.
 */
export function mayInsertAlone(
  {
    repositoryId,
    ownerId,
    sha,
    context,
  }: { repositoryId: number; ownerId: number; sha: string; context: string },
  { maxPerContext, maxContexts }: { maxPerContext: number; maxContexts: number },
): RawBuilder<unknown> {
  return sql`exists (select from repositories where id = ${repositoryId} and owner_id = ${ownerId})
    and not ${isAwaited(repositoryId)}
    and ${maxPerContext} > (
      select count(*) from commit_statuses
      where repository_id = ${repositoryId} and sha = ${sha} and context = ${context})
    and not exists (
      select from commit_status_totals
      where repository_id = ${repositoryId} and sha = ${sha} and contexts >= ${maxContexts})`
}

/**
 * Counts the contexts of a commit, and its statuses with one context, and locks its totals until the
 * transaction ends, so that the counts stay true. Those of a commit without statuses cannot be locked. The count of
 * contexts can be too high, but not too low: see `recountContexts`.
 */
export async function countForLimits(
  trx: Transaction<Database>,
  { repositoryId, sha, context }: { repositoryId: number; sha: string; context: string },
): Promise<{ contexts: number; ofContext: number }> {
  const totals = await trx
    .selectFrom('commit_status_totals')
    .select('contexts')
    .where('repository_id', '=', repositoryId)
    .where('sha', '=', sha)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!totals) return { contexts: 0, ofContext: 0 }
  const ofContext = await countRows(statusesOf(trx, repositoryId, sha).where('context', '=', context))
  return { contexts: totals.contexts, ofContext }
}

/**
 * Corrects the count of a commit's contexts, whose totals must be locked, and returns it. Reads a row for each of them.
 */
export async function recountContexts(
  trx: Transaction<Database>,
  repositoryId: number,
  sha: string,
): Promise<number> {
  const contexts = (await selectLatest(trx, repositoryId, [sha])).length
  await trx
    .updateTable('commit_status_totals')
    .set({ contexts })
    .where('repository_id', '=', repositoryId)
    .where('sha', '=', sha)
    .execute()
  return contexts
}

const statusesOf = (db: Db, repositoryId: number, sha: string) =>
  db.selectFrom('commit_statuses').where('repository_id', '=', repositoryId).where('sha', '=', sha)

/** Selects a page of a commit's statuses, by number, and counts all of them. */
export async function selectStatuses(
  db: Db,
  { repositoryId, sha, state }: { repositoryId: number; sha: string; state: StatusState | undefined },
  { order, ...page }: PageRequest & { order: 'asc' | 'desc' },
): Promise<{ items: StatusRow[]; total: number }> {
  const all = statusesOf(db, repositoryId, sha)
  const found = state ? all.where('state', '=', state) : all
  const items = await found
    .select(columns)
    .orderBy('number', order)
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
  return { items, total: await countRows(found) }
}

export function findStatus(
  db: Db,
  { repositoryId, sha, number }: { repositoryId: number; sha: string; number: number },
): Promise<StatusRow | undefined> {
  return statusesOf(db, repositoryId, sha).select(columns).where('number', '=', number).executeTakeFirst()
}

/** Selects statuses of a commit by their numbers, newest first. */
export function selectByNumber(
  db: Db,
  repositoryId: number,
  sha: string,
  numbers: readonly number[],
): Promise<StatusRow[]> {
  return statusesOf(db, repositoryId, sha)
    .select(columns)
    .where('number', '=', anyOf(numbers))
    .orderBy('number', 'desc')
    .execute()
}

/** The newest status of a context, as far as it decides the combined state. */
type LatestStatus = Pick<StatusRow, 'sha' | 'number' | 'state'>

/**
 * Selects the newest status of each context of these commits, newest first. Reads one row for each context,
 * however many statuses it has, because it continues in the index after the context that it has read.
 */
export function selectLatest(db: Db, repositoryId: number, shas: readonly string[]): Promise<LatestStatus[]> {
  return latestStatuses(db, { repositoryId, shas })
}

const latestStatuses = fixedQuery(
  (_, { repositoryId, shas }: { repositoryId: number; shas: readonly string[] }) => {
    const next = (sha: RawBuilder<unknown>, after: RawBuilder<unknown>) => sql`
    cross join lateral (
      select sha, context, number, state from commit_statuses
      where repository_id = ${repositoryId} and sha = ${sha} ${after}
      order by context, number desc limit 1) next`
    return sql<LatestStatus>`
    ${prepared} with recursive latest as (
      (select next.* from unnest(${shas}::text[]) as wanted(sha) ${next(sql`wanted.sha collate "C"`, sql``)})
      union all
      select next.* from latest ${next(sql`latest.sha`, sql`and context > latest.context`)}
    )
    select sha, number, state from latest order by number desc`
  },
)
