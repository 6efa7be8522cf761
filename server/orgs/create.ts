import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { requirePublic } from '@/server/access'
import { everyUnit, units } from '@/server/access/units'
import { originOf, recordEvent } from '@/server/events'
import type { Account } from '@/server/kernel/account'
import { isAdmin } from '@/server/kernel/caller'
import type { AdminCtx, UserCtx } from '@/server/kernel/ctx'
import { forbidden } from '@/server/kernel/errors'
import { checkName, checkNewName, mapForeignKeyError, mapUniqueError, takeName } from '@/server/users'
import { insertMember } from './members/store'
import { profileOf } from './profile'
import type { CreateOrgOption, Organization } from './schema'
import { insertOrg } from './store'
import { viewOrg } from './view'

/**
 * Creates an organization that the caller owns.
 * @throws {DomainError} unprocessable if the name is in use or not allowed; forbidden if the caller cannot
 * create organizations, or uses a public-only token for an organization that is not public.
 */
export async function createOrg(ctx: UserCtx, input: CreateOrgOption): Promise<Organization> {
  if (!isAdmin(ctx.caller) && !ctx.caller.user.may_create_organization) {
    throw forbidden('not allowed to create org', { reason: { code: 'noOrganizations' } })
  }
  return await create(ctx, ctx.caller.user, input)
}

/**
 * Creates an organization owned by another person, on behalf of an administrator.
 * @throws {DomainError} unprocessable if the name is in use or not allowed; forbidden if the caller uses a
 * public-only token for an organization that is not public.
 */
export async function createOrgFor(
  ctx: AdminCtx,
  owner: Account,
  input: CreateOrgOption,
): Promise<Organization> {
  return await create(ctx, owner, input)
}

async function create(ctx: UserCtx, owner: Account, input: CreateOrgOption): Promise<Organization> {
  if (isAdmin(ctx.caller)) checkName(input.username)
  else checkNewName(input.username)
  const values = { email: '', visibility: 'public' as const, ...profileOf(input), name: input.username }
  requirePublic(ctx.caller, 'orgs', values.visibility === 'public')
  try {
    const org = await withTransaction(ctx.db, async trx => {
      const made = await insertOrg(trx, values)
      await takeName(ctx, trx, made)
      await insertMember(trx, { org_id: made.id, user_id: owner.id })
      await insertOwnersTeam(trx, made.id, owner.id)
      const facts = { orgId: made.id, name: made.name, ownerId: owner.id, owner: owner.name }
      await recordEvent(trx, originOf(ctx), { kind: 'org.created', ownerId: made.id, facts })
      return made
    })
    return viewOrg(ctx, org)
  } catch (error) {
    throw mapForeignKeyError(mapUniqueError(error, values.name, values.email))
  }
}

/** Creates the Owners team, whose members own the organization, with its first owner. */
async function insertOwnersTeam(trx: Transaction<Database>, orgId: number, ownerId: number): Promise<void> {
  const team = await trx
    .insertInto('teams')
    .values({
      org_id: orgId,
      name: 'Owners',
      mode: 'owner',
      is_owners: true,
      includes_all_repositories: true,
      can_create_org_repo: true,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const modes = everyUnit('owner')
  await trx
    .insertInto('team_units')
    .values(units.map(unit => ({ team_id: team.id, org_id: orgId, unit, mode: modes[unit] })))
    .execute()
  await trx.insertInto('team_members').values({ team_id: team.id, org_id: orgId, user_id: ownerId }).execute()
}
