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
 * Returns what a purge of an account would delete besides the account: what it owns, and the organizations that nobody else
 * owns with what they own.
 * @throws {DomainError} notFound.
 */
export async function previewPurge(ctx: AdminCtx, username: string): Promise<PurgeEffects> {
  return await effectsOn(ctx, await getPerson(ctx, username))
}

/**
 * Deletes an account with everything it owns, as `previewPurge` tells. The account is locked first, so that it gets nothing
 * new meanwhile. Then each repository and organization goes in a transaction of its own: a purge that was cut off can be
 * repeated, and goes on where it ended. An organization that got another owner meanwhile stays, with what it has by then.
 * @throws {DomainError} notFound; forbidden for a token limited to public data; unprocessable for one's own account, the last
 * administrator, and where an organization got a new repository meanwhile; conflict, and nothing is deleted, when it would delete
 * something else than expected.
 */
export async function purgeUser(
  ctx: AdminCtx,
  { username, expected }: { username: string; expected?: PurgeEffects },
): Promise<void> {
  const person = await getPerson(ctx, username)
  if (subjectOf(ctx.caller).publicOnly) {
    throw forbidden('a token limited to public data deletes no account with what it owns')
  }
  if (expected && !isDeepStrictEqual(await effectsOn(ctx, person), expected)) {
    throw conflict('what this would delete has changed since it was shown; look at it again', {
      reason: { code: 'changedMeanwhile', what: 'effects' },
    })
  }
  await lockOut(ctx, person)
  for (const { id } of await selectOwnedAlone(ctx.db, person.id)) await removeOwnedAlone(ctx, person.id, id)
  await removeAllOf(ctx, person.id)
  // Somebody else may have the name by now.
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
    if (found.org.id !== orgId) throw conflict('an organization was renamed meanwhile; try again')
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
    // What failed fails again, unless another purge has deleted it.
    const left = await selectRepositoriesOf(ctx.db, [ownerId], maxBrowsePageSize)
    if (left.some(({ id }) => rows.some(row => row.id === id)))
      throw conflict('not every repository could be deleted; try again')
  }
}
