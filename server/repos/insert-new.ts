import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import type { Account } from '@/server/kernel/auth/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { recordEvent } from '@/server/kernel/events/record'
import { atLeast } from '@/server/kernel/permissions/access-mode'
import { askerNamed } from '@/server/kernel/permissions/asker'
import { repositoryAccess } from '@/server/kernel/permissions/repository-access'
import { isOrgMember } from '@/server/orgs'
import { attachToWideTeams, freeName, insertRepository, type NewRepository } from './change-store'
import { saveCollaborator } from './collaborators/store'
import type { RepositoryRow } from './store'

/** Inserts a repository with all that belongs to it and its event, in one transaction. */
export function insertNew(ctx: UserCtx, owner: Account, row: NewRepository): Promise<RepositoryRow> {
  return withTransaction(ctx.db, async trx => {
    const repository = await insertRepository(trx, row)
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
  const access = await repositoryAccess(trx, askerNamed(creator), { ...repository, owner })
  if (!atLeast(access.mode, 'admin')) await saveCollaborator(trx, repository.id, creator.id, 'admin')
}
