import { sql, type Transaction } from 'kysely'
import { anyOf } from '@/db/sql'
import type { Database } from '@/db/tables'
import { afterCommit } from '@/db/transaction'
import { selectBlockedBetween } from '@/server/blocks'
import { originOf, recordEvent, recordEvents } from '@/server/events'
import type { Account } from '@/server/kernel/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { forgetObjects } from '@/server/kernel/git/objects'
import { endCollaborations } from '@/server/users'
import { joinOrganization } from '../create'
import { withActionsOff } from '../settings'
import { repositoryPath } from '../storage'
import { freeName, type RepositoryRow, redirectName, updateRepository } from '../store'
import { ownsAll } from './eligibility'
import { announceOffer } from './record'
import { revokeFormerOwnerAccess } from './revoke-former-owner'
import type { TeamName } from './store'

export interface Move {
  /** The repository's row, locked like the rows of both accounts. */
  repository: RepositoryRow
  owner: Account
  recipient: Account
  /** The person who started the transfer. */
  doer: Pick<Account, 'id'>
  teams: readonly TeamName[]
}

/**
 * Transfers a repository to its recipient and returns its new row. The former URL redirects to the new one.
 * Removes the former owner's teams, deploy keys, webhooks, secrets and runners. Retains collaborators, except
 * those who block the new owner or are blocked by them. Turns workflows off, unless a person moves the
 * repository between accounts that they own. Moves no files on disk.
 */
export async function moveRepository(
  ctx: UserCtx,
  trx: Transaction<Database>,
  { repository, owner, recipient, doer, teams }: Move,
): Promise<RepositoryRow> {
  const { id, name } = repository
  await recordEvents(trx, originOf(ctx), await revokeFormerOwnerAccess(trx, repository))
  await endUnwanted(ctx, trx, id, recipient)
  await freeName(trx, recipient.id, name)
  await redirectName(trx, repository)
  const now = ctx.clock.now()
  const moved = await updateRepository(trx, id, {
    owner_id: recipient.id,
    updated_at: now,
    // Workflows written by another owner would run on the new owner's runners and with the new owner's
    // secrets.
    ...(doer.id === ctx.caller.user.id && (await ownsAll({ ...ctx, db: trx }, [owner, recipient]))
      ? {}
      : { settings: withActionsOff(repository.settings, now) }),
  })
  await recordEvents(trx, originOf(ctx), [
    {
      kind: 'repository.transferred',
      ownerId: recipient.id,
      repositoryId: id,
      facts: {
        repositoryId: id,
        name,
        from: owner.visibility === 'private' ? '' : owner.name,
        fromId: owner.id,
        to: recipient.name,
      },
    },
    {
      kind: 'repository.given_away',
      ownerId: owner.id,
      facts: { repositoryId: id, name, recipientId: recipient.id, recipient: recipient.name },
    },
  ])
  await beginFeeds(trx, id)
  if (recipient.kind === 'organization') {
    await joinOrganization(ctx, trx, moved, recipient)
    await attachToTeams(ctx, trx, moved, teams)
  }
  announceOffer(trx, recipient.id)
  afterCommit(trx, () => forgetObjects(repositoryPath(ctx.config, moved.storage_key)))
  return moved
}

// Removes the new owner, who needs no collaborator access, and collaborators who block the new owner or are
// blocked by them.
async function endUnwanted(
  ctx: UserCtx,
  trx: Transaction<Database>,
  repositoryId: number,
  recipient: Account,
): Promise<void> {
  const rows = await trx
    .selectFrom('repository_collaborators')
    .select('user_id')
    .where('repository_id', '=', repositoryId)
    .execute()
  const people = rows.map(row => row.user_id)
  const blocked = await selectBlockedBetween(trx, [recipient.id], people)
  const of = people.filter(id => id === recipient.id || blocked.has(id))
  await endCollaborations(trx, ctx, { of, repositoryId })
}

async function beginFeeds(trx: Transaction<Database>, repositoryId: number): Promise<void> {
  const latest = trx
    .selectFrom('events')
    .select('id')
    .where('repository_id', '=', repositoryId)
    .where('in_feed', '=', true)
    .orderBy('id', 'desc')
    .limit(1)
  await trx
    .updateTable('repositories')
    .set({ owned_since_event: sql<number>`(${latest})` })
    .where('id', '=', repositoryId)
    .execute()
}

// Teams that include all repositories already have it.
async function attachToTeams(
  ctx: UserCtx,
  trx: Transaction<Database>,
  { id, owner_id: ownerId, name }: RepositoryRow,
  teams: readonly TeamName[],
): Promise<void> {
  const attached = await trx
    .insertInto('team_repositories')
    .columns(['team_id', 'org_id', 'repository_id'])
    .expression(eb =>
      eb
        .selectFrom('teams')
        .select(['teams.id', 'teams.org_id', sql.val(id).as('repository_id')])
        .where('teams.org_id', '=', ownerId)
        .where('teams.id', '=', anyOf(teams.map(team => team.id))),
    )
    .onConflict(conflict => conflict.doNothing())
    .returning('team_id')
    .execute()
  const added = new Set(attached.map(row => row.team_id))
  for (const { id: teamId, name: team } of teams.filter(team => added.has(team.id))) {
    await recordEvent(trx, originOf(ctx), {
      kind: 'team.repository_added',
      ownerId,
      facts: { teamId, team, repositoryId: id, repository: name },
    })
  }
}
