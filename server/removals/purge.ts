import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { subjectOf } from '@/server/access'
import { type Account, findAccountById } from '@/server/kernel/account'
import type { AdminCtx } from '@/server/kernel/ctx'
import { conflict, forbidden } from '@/server/kernel/errors'
import { maxBrowsePageSize } from '@/server/kernel/pagination'
import { hasOwnerBesides, loadOrganization, removeOrg } from '@/server/orgs'
import { removeRepositories } from '@/server/repos'
import { endedOf, getPerson, lockOut, maxPreviewNames, noSuchUser, removeAccount } from '@/server/users'
import { countRepositoriesOf, selectOwnedAlone, selectRepositoriesOf } from './purge-store'
import type { PurgeEffects } from './schema'

/**
 * Returns what a purge of an account would delete in addition to the account: its repositories, and the
 * organizations of which it is the only owner, with their repositories.
 * @throws {DomainError} notFound if the account does not exist.
 */
export async function previewPurge(ctx: AdminCtx, username: string): Promise<PurgeEffects> {
  return await effectsOn(ctx, await getPerson(ctx, username))
}

/**
 * Deletes an account with everything that `previewPurge` lists. Locks the person out first, so that the
 * account gets nothing new. Then deletes each repository and each organization in its own transaction, so an
 * interrupted purge can be repeated and continues where it stopped. An organization that gets another owner
 * during the purge is kept with its remaining repositories.
 * @throws {DomainError} notFound if the account does not exist; forbidden if the caller uses a public-only
 * token; unprocessable for the caller's own account, the last administrator, or an organization that gets a
 * new repository during the purge; conflict, before anything is deleted, if the effects differ from
 * `expected`, or later if an organization was renamed or a repository could not be deleted.
 */
export async function purgeUser(
  ctx: AdminCtx,
  { username, expected }: { username: string; expected?: PurgeEffects },
): Promise<void> {
  const person = await getPerson(ctx, username)
  if (subjectOf(ctx.caller).publicOnly) {
    throw forbidden('a public-only token cannot purge an account')
  }
  if (expected && !isDeepStrictEqual(await effectsOn(ctx, person), expected)) {
    throw conflict(
      'the effects of this deletion have changed since they were shown; review them and try again',
      {
        reason: { code: 'changedMeanwhile', what: 'effects' },
      },
    )
  }
  await lockOut(ctx, person)
  for (const { id } of await selectOwnedAlone(ctx.db, person.id)) await removeOwnedAlone(ctx, person.id, id)
  await removeAllOf(ctx, person.id)
  // Loaded by ID, because the name may belong to another account by now.
  const left = await findAccountById(ctx.db, person.id)
  if (!left) throw noSuchUser(person.name)
  await removeAccount(ctx, left)
}

async function effectsOn(ctx: AdminCtx, { id }: Account): Promise<PurgeEffects> {
  const organizations = await selectOwnedAlone(ctx.db, id)
  const owners = [id, ...organizations.map(org => org.id)]
  const repositories = await selectRepositoriesOf(ctx.db, owners, maxPreviewNames)
  return {
    repositories: {
      total: await countRepositoriesOf(ctx.db, owners),
      names: repositories.map(({ owner, name }) => `${owner}/${name}`),
    },
    organizations: endedOf(organizations.map(({ name }) => name)),
  }
}

async function removeOwnedAlone(ctx: AdminCtx, personId: number, orgId: number): Promise<void> {
  const shared = conflict('the organization has another owner')
  const requireNobodyElse = async (trx: Transaction<Database>): Promise<void> => {
    if (await hasOwnerBesides(trx, orgId, [personId])) throw shared
  }
  try {
    await removeAllOf(ctx, orgId, requireNobodyElse)
    const left = await findAccountById(ctx.db, orgId)
    if (!left) return
    const found = await loadOrganization(ctx, left.name, 'ownership')
    if (found.org.id !== orgId) throw conflict('an organization was renamed during the purge; try again')
    await removeOrg(ctx, found, requireNobodyElse)
  } catch (error) {
    if (error !== shared) throw error
  }
}

async function removeAllOf(
  ctx: AdminCtx,
  ownerId: number,
  check?: (trx: Transaction<Database>) => Promise<void>,
): Promise<void> {
  for (;;) {
    const rows = await selectRepositoriesOf(ctx.db, [ownerId], maxBrowsePageSize)
    if (rows.length === 0) return
    const { removed } = await removeRepositories(ctx, { ids: rows.map(({ id }) => id) }, check)
    if (removed.length > 0) continue
    // Repositories that failed would fail again, unless another purge has deleted them.
    const left = await selectRepositoriesOf(ctx.db, [ownerId], maxBrowsePageSize)
    if (left.some(({ id }) => rows.some(row => row.id === id)))
      throw conflict('some repositories could not be deleted; try again')
  }
}
