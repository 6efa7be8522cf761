import type { Transaction } from 'kysely'
import { anyOf } from '@/db/sql'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { uniqueViolation } from '@/db/violation'
import { announce, type NewEvent } from '@/server/events'
import { createTurns } from '@/server/kernel/concurrency-limit'
import type { UserCtx } from '@/server/kernel/ctx'
import { gone } from '@/server/kernel/errors'
import { lockRepository, type RepositoryRow } from '@/server/repos'
import { explainGone } from '@/server/users'
import { tagTaken } from './rules'
import type { ReleaseRow } from './store'

const turns = createTurns({ maxQueue: 100 })

/**
 * Changes the releases of a repository after all such changes begun before in this process: whoever makes a tag then knows
 * that no other release takes it meanwhile. Between processes the index on tags decides.
 * @throws {DomainError} tooManyRequests when very many wait.
 */
export const inTurn = <T>({ id }: RepositoryRow, work: () => Promise<T>): Promise<T> => turns(id, work)

/**
 * Runs a transaction that changes releases of a repository, with locks on all that its rows name, in the order of the house.
 * @throws {DomainError} notFound when the repository is deleted concurrently, alreadyExists for a tag that another
 * release has.
 */
export async function changeReleases<T>(
  { db, caller: { user, actor } }: UserCtx,
  { id, owner_id }: RepositoryRow,
  tag: string,
  change: (trx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  try {
    return await withTransaction(db, async trx => {
      const people = [...new Set([owner_id, user.id, actor?.id ?? user.id])]
      await trx
        .selectFrom('users')
        .select('id')
        .where('id', '=', anyOf(people))
        .orderBy('id')
        .forKeyShare()
        .execute()
      if (!(await lockRepository(trx, id))) throw gone('repository')
      return await change(trx)
    })
  } catch (error) {
    throw uniqueViolation(error) === 'releases_tag' ? tagTaken(tag, error) : explainGone(error)
  }
}

/** Where an event about a release belongs, and the facts that all of them have. */
export function aboutRelease(
  { id: repositoryId, owner_id: ownerId }: RepositoryRow,
  { id: releaseId, tag_name: tag, title }: ReleaseRow,
): Pick<NewEvent<'release.published'>, 'ownerId' | 'repositoryId' | 'facts'> {
  return { ownerId, repositoryId, facts: { repositoryId, releaseId, tag, title } }
}

/** Tells pages that show a release, or one of its files, of a change that no event tells of. */
export function announceRelease(
  trx: Transaction<Database>,
  { id: repositoryId, owner_id: ownerId }: RepositoryRow,
  { id: releaseId, is_draft: isDraft }: ReleaseRow,
): void {
  announce(trx, { kind: 'release.changed', releaseId, isDraft, ownerId, repositoryId })
}
