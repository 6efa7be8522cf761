import {
  type Allowed,
  type OrganizationAccess,
  organizationAccess,
  requirePublic,
  subjectOf,
} from '@/server/access'
import { allow } from '@/server/access/allowed'
import { type Account, findAccountById, findAccountByName, findRenamedAccount } from '@/server/kernel/account'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { type DomainError, deleted, moved } from '@/server/kernel/errors'
import { type OrganizationNeed, requireNeed } from './policy'

/** An organization the caller may see, and what they may do in it. */
export interface OrganizationWithAccess {
  org: Account
  access: OrganizationAccess
}

/** An organization loaded for a caller who has this need in it. */
export type OrganizationFor<Need extends OrganizationNeed> = Allowed<OrganizationWithAccess, Need>

/**
 * Loads an organization by name, for a caller with this need. One the caller may not see does not exist for them.
 * @throws {DomainError} notFound, moved after a rename, forbidden without the need and for a token limited to public data.
 */
export async function loadOrganization<Need extends OrganizationNeed>(
  ctx: ServiceCtx,
  name: string,
  need: Need,
): Promise<OrganizationFor<Need>> {
  const account = await findAccountByName(ctx.db, name)
  if (!account) throw await renamedOrAbsent(ctx, name)
  const found = await organizationWithAccess(ctx, account)
  try {
    requireNeed(found, need)
  } catch (refusal) {
    // Nobody has a part in an organization that was deleted between the two look-ups: it is gone, not somebody else's.
    throw (await findAccountById(ctx.db, account.id)) ? refusal : deleted('organization')
  }
  return allow(found)
}

/**
 * Adds the caller's access to the organization of an account at hand, such as the owner of a team. A person, and an
 * organization the caller may not see, are not told apart from what is not there. A token limited to public data is not
 * refused yet: what the caller must not learn of at all comes before that.
 * @throws {DomainError} notFound of `what`.
 */
export async function visibleOrganization(
  ctx: ServiceCtx,
  account: Account,
  what: 'organization' | 'team',
): Promise<OrganizationWithAccess> {
  if (account.kind !== 'organization') throw deleted(what)
  const access = await organizationAccess(ctx.db, subjectOf(ctx.caller), account)
  if (!access.visible) throw deleted(what)
  return { org: account, access }
}

async function organizationWithAccess(ctx: ServiceCtx, account: Account): Promise<OrganizationWithAccess> {
  const found = await visibleOrganization(ctx, account, 'organization')
  requirePublic(ctx.caller, 'orgs', account.visibility === 'public')
  return found
}

async function renamedOrAbsent(ctx: ServiceCtx, name: string): Promise<DomainError> {
  const renamed = await findRenamedAccount(ctx.db, name)
  if (renamed?.kind !== 'organization') return deleted('organization')
  // Whoever may not see it must not learn its new name.
  await organizationWithAccess(ctx, renamed)
  return moved('org', renamed.name)
}
