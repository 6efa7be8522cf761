import { withTransaction } from '@/db/transaction'
import { isBlockedBetween } from '@/server/blocks'
import { originOf, recordEvent } from '@/server/events'
import type { Account } from '@/server/kernel/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { deleted, forbidden, unprocessable } from '@/server/kernel/errors'
import { lockPeople, mapForeignKeyError } from '@/server/users'
import type { RepositoryFor } from '../load'
import type { administration } from '../policy'
import { isStillOwned, type RepositoryRow } from '../store'
import { getPerson } from './person'
import type { AddCollaboratorOption } from './schema'
import { type CollaboratorMode, saveCollaborator } from './store'

/**
 * Adds a person as a collaborator with a permission (`write` by default), or changes an existing
 * collaborator's permission.
 * @throws {DomainError} notFound if the repository is deleted or transferred concurrently; forbidden for a
 * blocked person; unprocessable for an unknown name, an organization or the repository's owner.
 */
export async function addCollaborator(
  ctx: UserCtx,
  found: RepositoryFor<typeof administration>,
  input: Pick<AddCollaboratorOption, 'collaborator' | 'permission'>,
): Promise<void> {
  const person = await getPerson(ctx, found.repository.id, input.collaborator)
  if (person.id === found.owner.id) {
    throw unprocessable('the owner cannot be a collaborator: they already have full access', {
      field: 'collaborator',
      reason: { code: 'ownsAlready' },
    })
  }
  try {
    await save(ctx, found.repository, person, input.permission ?? 'write')
  } catch (error) {
    throw mapForeignKeyError(error)
  }
}

async function save(
  ctx: UserCtx,
  { id, owner_id, name }: RepositoryRow,
  person: Account,
  mode: CollaboratorMode,
): Promise<void> {
  await withTransaction(ctx.db, async trx => {
    const others = [owner_id, ctx.caller.user.id]
    const actor = ctx.caller.actor ? [ctx.caller.actor.id] : []
    await lockPeople(trx, person.id, [...others, ...actor])
    if (await isBlockedBetween(trx, others, person.id)) {
      throw forbidden('user is blocked', { reason: { code: 'blocked' } })
    }
    // A former owner cannot add collaborators to a repository that was transferred in the meantime.
    if (!(await isStillOwned(trx, id, owner_id))) throw deleted('repository')
    if (!(await saveCollaborator(trx, id, person.id, mode))) return
    await recordEvent(trx, originOf(ctx), {
      kind: 'collaborator.added',
      ownerId: owner_id,
      repositoryId: id,
      facts: { repositoryId: id, repository: name, userId: person.id, user: person.name, permission: mode },
    })
  })
}
