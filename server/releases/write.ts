import type { Insertable, Transaction } from 'kysely'
import { anyOf } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { ReleasesTable } from '@/db/tables/releases'
import { withTransaction } from '@/db/transaction'
import { uniqueViolation } from '@/db/violation'
import { announce, type NewEvent, originOf } from '@/server/events'
import { actingAccount, involvedAccounts } from '@/server/kernel/caller'
import type { ActingCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { lockRepository, type RepositoryRow } from '@/server/repos'
import { mapForeignKeyError } from '@/server/users'
import { tagInUse } from './rules'
import type { ReleaseRow } from './store'

/**
 * Runs a transaction that changes releases of a repository, after locking all referenced rows in the standard
 * order.
 * @throws {DomainError} notFound if the repository is deleted or transferred concurrently; alreadyExists if
 * another release has the tag.
 */
export async function changeReleases<T>(
  { db, caller }: ActingCtx,
  { id, owner_id }: RepositoryRow,
  tag: string,
  change: (trx: Transaction<Database>, present: RepositoryRow) => Promise<T>,
): Promise<T> {
  try {
    return await withTransaction(db, async trx => {
      const people = [...new Set([owner_id, ...involvedAccounts(caller)])]
      await trx
        .selectFrom('users')
        .select('id')
        .where('id', '=', anyOf(people))
        .orderBy('id')
        .forKeyShare()
        .execute()
      const present = await lockRepository(trx, id)
      if (present?.owner_id !== owner_id) throw deleted('repository')
      return await change(trx, present)
    })
  } catch (error) {
    throw uniqueViolation(error) === 'releases_tag' ? tagInUse(tag, error) : mapForeignKeyError(error)
  }
}

/** Returns the columns that say who publishes a release or writes a draft. */
export function publisherOf(ctx: ActingCtx): Pick<Insertable<ReleasesTable>, 'publisher_id' | 'by_run'> {
  const { byJob } = originOf(ctx)
  const run = byJob && { number: byJob.runNumber, workflow: byJob.workflow }
  return { publisher_id: actingAccount(ctx.caller)?.id ?? null, by_run: run ? JSON.stringify(run) : null }
}

/** Returns the owner, the repository, and the facts that all release events have in common. */
export function aboutRelease(
  { id: repositoryId, owner_id: ownerId }: RepositoryRow,
  { id: releaseId, tag_name: tag, title }: ReleaseRow,
): Pick<NewEvent<'release.published'>, 'ownerId' | 'repositoryId' | 'facts'> {
  return { ownerId, repositoryId, facts: { repositoryId, releaseId, tag, title } }
}

/** Notifies open pages of a change to a release or its files for which no event is recorded. */
export function announceRelease(
  trx: Transaction<Database>,
  { id: repositoryId, owner_id: ownerId }: RepositoryRow,
  { is_draft: isDraft }: ReleaseRow,
): void {
  announce(trx, { kind: 'release.changed', isDraft, ownerId, repositoryId })
}
