import { withTransaction } from '@/db/transaction'
import { requirePublic } from '@/server/access'
import { originOf, recordEvent } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { requireUnchanged } from '@/server/kernel/form-edit'
import { mapForeignKeyError } from '@/server/users'
import type { OrganizationFor } from './load'
import { profileOf } from './profile'
import type { EditOrgOption, Organization, SaveOrgInput } from './schema'
import { lockProfile, updateOrg } from './store'
import { viewOrg } from './view'

/**
 * Updates the fields of an organization's profile that are present in the input. The name can only be changed
 * by a rename.
 * @throws {DomainError} forbidden if the caller uses a public-only token for an organization that is not
 * public; notFound if the organization is deleted concurrently.
 */
export async function editOrg(
  ctx: UserCtx,
  found: OrganizationFor<'ownership'>,
  input: Omit<EditOrgOption, 'org'>,
): Promise<Organization> {
  return await edit(ctx, found, input)
}

/**
 * Saves the fields of an organization's profile that were changed in the form.
 * @throws {DomainError} conflict if someone else changed one of these fields after the form was loaded.
 */
export async function saveOrg(
  ctx: UserCtx,
  found: OrganizationFor<'ownership'>,
  input: SaveOrgInput,
): Promise<Organization> {
  return await edit(ctx, found, input.changes, input)
}

async function edit(
  ctx: UserCtx,
  found: OrganizationFor<'ownership'>,
  input: Omit<EditOrgOption, 'org'>,
  form?: SaveOrgInput,
): Promise<Organization> {
  const change = profileOf(input)
  requirePublic(ctx.caller, 'orgs', (change.visibility ?? 'public') === 'public')
  if (Object.keys(change).length === 0) return viewOrg(ctx, found.org)
  try {
    return await withTransaction(ctx.db, async trx => {
      const current = form && (await lockProfile(trx, found.org.id))
      if (current) requireUnchanged(current, form)
      const org = await updateOrg(trx, found.org.id, change)
      if (!org) throw deleted('organization')
      const facts = { orgId: org.id, name: org.name, changed: Object.keys(change).sort().join(' ') }
      await recordEvent(trx, originOf(ctx), { kind: 'org.edited', ownerId: org.id, facts })
      return viewOrg(ctx, org)
    })
  } catch (error) {
    throw mapForeignKeyError(error)
  }
}
