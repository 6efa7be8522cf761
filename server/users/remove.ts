import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { RetryTransaction, withTransaction } from '@/db/transaction'
import { originOf, recordEvents } from '@/server/events'
import type { Account } from '@/server/kernel/account'
import type { AdminCtx } from '@/server/kernel/ctx'
import { unprocessable } from '@/server/kernel/errors'
import { endCollaborations } from './collaborations'
import { mapForeignKeyError } from './errors'
import { getPerson, noSuchUser } from './find'
import { requireAnotherAdmin } from './last-admin'
import { endOffers } from './offers'
import { prohibitLogin } from './prohibit-login'
import { endedOf, maxPreviewNames, type Removal, removal } from './removal'
import {
  countOwnRepositories,
  deleteUser,
  isInAnother,
  lockOrganizationsOf,
  lockOwner,
  selectMemberships,
  selectOrganizationsOfOneOwner,
  selectRepositoryNames,
} from './removal-store'
import type { DeletionObstacles } from './schema'

/**
 * Deletes a person's account with its keys, tokens, and sessions, on behalf of an administrator. Returns the
 * memberships and collaborations that ended with it.
 * @throws {DomainError} notFound if the account does not exist; unprocessable for the administrator's own
 * account, the last administrator, an owner of repositories, or the last owner of an organization.
 */
export async function removeUser(ctx: AdminCtx, name: string): Promise<Removal> {
  return await removeAccount(ctx, await getPerson(ctx, name))
}

/** Deletes a loaded account like `removeUser`, even if it has been renamed since. */
export async function removeAccount(ctx: AdminCtx, account: Account): Promise<Removal> {
  requireOther(ctx, account)
  try {
    return await withTransaction(ctx.db, trx => removeHeld(ctx, trx, account))
  } catch (error) {
    throw mapForeignKeyError(error)
  }
}

/**
 * Prevents a person whose account is about to be deleted from signing in, on behalf of an administrator.
 * @throws {DomainError} unprocessable for the administrator's own account and the last administrator.
 */
export async function lockOut(ctx: AdminCtx, account: Account): Promise<void> {
  requireOther(ctx, account)
  await prohibitLogin(ctx, { ids: [account.id], prohibit_login: true })
}

function requireOther(ctx: AdminCtx, account: Account): void {
  if (account.id !== ctx.caller.user.id) return
  throw unprocessable('you cannot delete your own account; another administrator can', {
    reason: { code: 'ownAccount' },
  })
}

/**
 * Lists what prevents an account from being deleted, for administrators: its repositories, and the
 * organizations of which it is the only owner.
 * @throws {DomainError} notFound if the account does not exist.
 */
export async function listDeletionObstacles(ctx: AdminCtx, name: string): Promise<DeletionObstacles> {
  const account = await getPerson(ctx, name)
  const names = await selectRepositoryNames(ctx.db, account.id, maxPreviewNames)
  return {
    repositories: {
      total: await countOwnRepositories(ctx.db, account.id),
      names: names.map(repository => `${account.name}/${repository}`),
    },
    organizations: await selectOrganizationsOfOneOwner(ctx.db, account.id, maxPreviewNames),
  }
}

async function removeHeld(ctx: AdminCtx, trx: Transaction<Database>, account: Account): Promise<Removal> {
  const locked = await lockOrganizationsOf(trx, account.id)
  await requireAnotherAdmin(trx, account.id)
  if (await isInAnother(trx, account.id, locked)) {
    throw new RetryTransaction('the account joined an organization, which must be locked before the account')
  }
  await requireOwnsNothing(trx, account)
  const { organizations, teams } = await selectMemberships(trx, account.id)
  await endOffers(ctx, trx, { of: account.id })
  const collaborations = await endCollaborations(trx, ctx, { of: [account.id] })
  await deleteUser(trx, account.id)
  const member = { memberId: account.id, member: account.name }
  await recordEvents(trx, originOf(ctx), [
    ...teams.map(({ orgId, teamId, team }) => ({
      kind: 'team.member_removed' as const,
      ownerId: orgId,
      facts: { teamId, team, ...member, leftOrganization: true },
    })),
    ...organizations.map(({ id }) => ({
      kind: 'org.member_removed' as const,
      ownerId: id,
      facts: member,
    })),
    { kind: 'user.deleted', ownerId: null, facts: { userId: account.id, name: account.name } },
  ])
  return removal({
    people: endedOf(organizations.length > 0 ? [account.name] : []),
    organizations: endedOf(organizations.map(({ name }) => name)),
    teams: endedOf(teams.map(({ owner, team }) => `${owner}/${team}`)),
    collaborations: endedOf(collaborations),
  })
}

/**
 * Checks that the deletion of this account would leave no repository or organization without an owner. Locks
 * the account, so that it cannot get any new ones until the end of the transaction. The person's
 * organizations must be locked first, so that no other owner leaves them.
 * @throws {DomainError} unprocessable if the account owns repositories or is the last owner of an
 * organization; notFound if it was deleted.
 */
async function requireOwnsNothing(trx: Transaction<Database>, account: Account): Promise<void> {
  const repositories = await lockOwner(trx, account.id)
  if (repositories === undefined) throw noSuchUser(account.name)
  if (repositories > 0) {
    throw unprocessable(
      `user still owns repositories [name: ${account.name}, count: ${repositories}]; delete or transfer them first`,
      { reason: { code: 'ownsRepositories', name: account.name, count: repositories } },
    )
  }
  const {
    names: [organization],
  } = await selectOrganizationsOfOneOwner(trx, account.id, 1)
  if (organization) {
    throw unprocessable(
      `user is the last owner of an organization [name: ${organization}]; add another owner or delete it first`,
      { reason: { code: 'lastOwner', name: account.name, organization } },
    )
  }
}
