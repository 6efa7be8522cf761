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

/** An organization that is visible to the caller, and the caller's access to it. */
export interface OrganizationWithAccess {
  org: Account
  access: OrganizationAccess
}

/** An organization loaded for a caller who has the given permission in it. */
export type OrganizationFor<Need extends OrganizationNeed> = Allowed<OrganizationWithAccess, Need>

/**
 * Loads an organization by name for a caller who must have the given permission. To callers who cannot see
 * it, the organization does not exist.
 * @throws {DomainError} notFound if the organization is absent or hidden; moved if it was renamed; forbidden
 * if the caller lacks the permission, or uses a public-only token and the organization is not public.
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
    // An organization that was deleted between the two queries has no members, so the caller would be
    // refused. It must be reported as not found instead.
    throw (await findAccountById(ctx.db, account.id)) ? refusal : deleted('organization')
  }
  return allow(found)
}

/**
 * Returns an account that is an organization, together with the caller's access to it. A person's account and
 * a hidden organization cause the same error as an absent one. Does not check public-only tokens, because
 * callers report anything the caller must not know about as not found first.
 * @throws {DomainError} notFound for `what` if the account is not an organization that is visible to the
 * caller.
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
  // The new name must not be revealed to callers who cannot see the organization.
  await organizationWithAccess(ctx, renamed)
  return moved('org', renamed.name)
}
