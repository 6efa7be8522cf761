import { type SelectQueryBuilder, sql, type Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { affectedRows, anyOf, countRows } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { TransferEffects } from '../schema'
import { type RepositoryRow, repositoryColumns } from '../store'

export interface TransferRow {
  repository_id: number
  recipient_id: number
  doer_id: number
  created_at: Date
}

const columns = ['repository_id', 'recipient_id', 'doer_id', 'created_at'] as const

export function findTransfer(db: Db, repositoryId: number): Promise<TransferRow | undefined> {
  return db
    .selectFrom('repository_transfers')
    .select(columns)
    .where('repository_id', '=', repositoryId)
    .executeTakeFirst()
}

/** Counts the pending repository transfers from one person to one account. */
export function countOffers(
  db: Db,
  { recipient_id, doer_id }: Pick<TransferRow, 'recipient_id' | 'doer_id'>,
): Promise<number> {
  return countRows(
    db
      .selectFrom('repository_transfers')
      .where('recipient_id', '=', recipient_id)
      .where('doer_id', '=', doer_id),
  )
}

/**
 * Inserts a pending transfer, with the teams that will get access to the repository. Returns false if the
 * repository already has a pending transfer.
 */
export async function insertTransfer(
  trx: Transaction<Database>,
  transfer: TransferRow,
  teamIds: readonly number[],
): Promise<boolean> {
  const result = await trx
    .insertInto('repository_transfers')
    .values(transfer)
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst()
  if (affectedRows(result) === 0) return false
  const { repository_id } = transfer
  if (teamIds.length > 0) {
    await trx
      .insertInto('repository_transfer_teams')
      .values(teamIds.map(team_id => ({ repository_id, team_id })))
      .execute()
  }
  return true
}

/** Deletes and returns a repository's pending transfer to this recipient; undefined if none exists. */
export function takeTransfer(
  trx: Transaction<Database>,
  { repository_id, recipient_id }: Pick<TransferRow, 'repository_id' | 'recipient_id'>,
): Promise<TransferRow | undefined> {
  return trx
    .deleteFrom('repository_transfers')
    .where('repository_id', '=', repository_id)
    .where('recipient_id', '=', recipient_id)
    .returning(columns)
    .executeTakeFirst()
}

export interface TeamName {
  id: number
  name: string
}

/** Selects the teams that will get access to the repository, ordered by name. */
export function selectTransferTeams(db: Db, repositoryId: number): Promise<TeamName[]> {
  return db
    .selectFrom('repository_transfer_teams')
    .innerJoin('teams', 'teams.id', 'repository_transfer_teams.team_id')
    .select(['teams.id', 'teams.name'])
    .where('repository_transfer_teams.repository_id', '=', repositoryId)
    .orderBy(sql`lower(teams.name)`)
    .execute()
}

/** Returns which of these teams belong to the organization. */
export function selectTeamsOf(db: Db, orgId: number, ids: readonly number[]): Promise<TeamName[]> {
  return db
    .selectFrom('teams')
    .select(['id', 'name'])
    .where('org_id', '=', orgId)
    .where('id', '=', anyOf(ids))
    .orderBy('id')
    .execute()
}

/** Locks a repository whose owner is about to change and reads it again; undefined if it is deleted. */
export function lockForTransfer(trx: Transaction<Database>, id: number): Promise<RepositoryRow | undefined> {
  return trx
    .selectFrom('repositories')
    .select(repositoryColumns)
    .where('repositories.id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

type Counts = Omit<TransferEffects, 'is_direct' | 'turns_workflows_off'>

/** Counts the items that a transfer would remove from the repository. */
export async function countEffects(db: Db, repositoryId: number): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select
      (select count(*) from team_repositories where repository_id = ${repositoryId}) as teams,
      (select count(*) from deploy_keys where repository_id = ${repositoryId}) as deploy_keys,
      (select count(*) from hooks where repository_id = ${repositoryId}) as hooks,
      (select count(*) from workflow_variables where repository_id = ${repositoryId} and is_secret) as secrets,
      (select count(*) from runners where repository_id = ${repositoryId} and retired_at is null) as runners,
      (select count(*) from workflow_runs where repository_id = ${repositoryId}
        and status in ('queued', 'waiting', 'in_progress')) as runs`.execute(db)
  return rows[0] as Counts
}

export interface OfferRow {
  id: number
  owner: string
  repo: string
  recipient: string
  doer: string
  created_at: Date
}

const mostOffers = 20

/**
 * Selects the 20 newest pending transfers to this person and to the organizations in which the person can
 * create repositories.
 */
export function selectReceived(db: Db, userId: number): Promise<OfferRow[]> {
  return offers(db)
    .where(sql<boolean>`repository_transfers.recipient_id in (
      select ${userId}::bigint
      union all
      select team_members.org_id from team_members join teams on teams.id = team_members.team_id
      where team_members.user_id = ${userId} and (teams.is_owners or teams.can_create_org_repo))`)
    .execute()
}

/** Selects the 20 newest pending transfers that this person requested. */
export function selectSent(db: Db, userId: number): Promise<OfferRow[]> {
  return offers(db).where('repository_transfers.doer_id', '=', userId).execute()
}

const offers = (db: Db): SelectQueryBuilder<Database, 'repository_transfers', OfferRow> =>
  db
    .selectFrom('repository_transfers')
    .innerJoin('repositories', 'repositories.id', 'repository_transfers.repository_id')
    .innerJoin('users as owners', 'owners.id', 'repositories.owner_id')
    .innerJoin('users as recipients', 'recipients.id', 'repository_transfers.recipient_id')
    .innerJoin('users as doers', 'doers.id', 'repository_transfers.doer_id')
    .select([
      'repositories.id',
      'owners.name as owner',
      'repositories.name as repo',
      'recipients.name as recipient',
      'doers.name as doer',
      'repository_transfers.created_at',
    ])
    .orderBy('repository_transfers.created_at', 'desc')
    .orderBy('repository_transfers.repository_id')
    .limit(mostOffers) as unknown as SelectQueryBuilder<Database, 'repository_transfers', OfferRow>
