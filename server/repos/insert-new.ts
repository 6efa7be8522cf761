import type { Transaction } from 'kysely'
import type { Db } from '@/db/client'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { repositoryAccess, subjectFor } from '@/server/access'
import { atLeast } from '@/server/access/access-mode'
import type { Account } from '@/server/kernel/auth/account'
import { isAdmin } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { forbidden } from '@/server/kernel/errors'
import { recordEvent } from '@/server/kernel/events/record'
import { isOrgMember } from '@/server/orgs'
import { attachToWideTeams, countOwned, freeName, insertRepository, type NewRepository } from './change-store'
import { saveCollaborator } from './collaborators/store'
import type { RepositoryRow } from './store'

/**
 * Throws forbidden when the account would own more repositories than it can, unless a site administrator asks. So many
 * `more` are to be made.
 */
export async function requireRoom(ctx: UserCtx, db: Db, owner: Account, more: 0 | 1): Promise<void> {
  const { maxRepositories: most } = ctx.config
  if (isAdmin(ctx.caller) || (await countOwned(db, owner.id)) + more <= most) return
  throw forbidden(`user has reached maximum limit of repositories [limit: ${most}]`, {
    reason: { code: 'tooMany', what: 'repositories', most },
  })
}

/** Inserts a repository with all that belongs to it and its event, in one transaction. Throws as `requireRoom` does. */
export function insertNew(ctx: UserCtx, owner: Account, row: NewRepository): Promise<RepositoryRow> {
  return withTransaction(ctx.db, async trx => {
    const repository = await insertRepository(trx, row)
    // Counted by now, in the owner's row, which this holds.
    await requireRoom(ctx, trx, owner, 0)
    await freeName(trx, owner.id, row.name)
    // A statement of its own after the insert, which locks the owner's row for its counts: a team that is being made
    // or widened at this moment either sees this repository or is seen here.
    if (owner.kind === 'organization') {
      await attachToWideTeams(trx, repository)
      await makeAdministrator(ctx, trx, repository, owner)
    }
    const { id, name, is_private } = repository
    await recordEvent(ctx, trx, {
      kind: 'repository.created',
      ownerId: owner.id,
      repositoryId: id,
      facts: { name, private: is_private },
    })
    return repository
  })
}

// Whoever made it can go on with it, though their team may only create.
async function makeAdministrator(
  ctx: UserCtx,
  trx: Transaction<Database>,
  repository: RepositoryRow,
  owner: Account,
): Promise<void> {
  const creator = ctx.caller.user
  // They may have been put out of the organization meanwhile, which must not leave them this.
  if (!(await isOrgMember(trx, owner.id, creator.id))) return
  const access = await repositoryAccess(trx, subjectFor(creator), { ...repository, owner })
  if (!atLeast(access.mode, 'admin')) await saveCollaborator(trx, repository.id, creator.id, 'admin')
}
