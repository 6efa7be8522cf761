import { type ListScope, organizationAccess, scopeOfOwn, scopeOfOwner, subjectOf } from '@/server/access'
import type { Account } from '@/server/kernel/account'
import type { ServiceCtx, UserCtx } from '@/server/kernel/ctx'
import { type Page, type PageRequest, pageFromRows } from '@/server/kernel/pagination'
import { loadOrganization } from '@/server/orgs'
import { getAccountOrMoved } from '@/server/users'
import type { Repository } from '../schema'
import { viewRepositories } from '../view'
import { countInScope, selectInScope } from './store'

/** Lists a page of the repositories that the caller owns or that are shared with them, ordered by name. */
export async function listMyRepositories(ctx: UserCtx, input: PageRequest): Promise<Page<Repository>> {
  const { user } = ctx.caller
  return await pageOf(ctx, await scopeOfOwn(ctx.db, subjectOf(ctx.caller), user.visibility), input, user)
}

/**
 * Lists a page of an organization's repositories that the caller can see, ordered by name.
 * @throws {DomainError} notFound; moved after a rename.
 */
export async function listOrgRepositories(
  ctx: ServiceCtx,
  input: PageRequest & { org: string },
): Promise<Page<Repository>> {
  const { org, access } = await loadOrganization(ctx, input.org, 'view')
  const scope = await scopeOfOwner(ctx.db, subjectOf(ctx.caller), org, access.isMember)
  return await pageOf(ctx, scope, input, org)
}

/**
 * Lists a page of a user's or organization's repositories that the caller can see, ordered by name.
 * @throws {DomainError} notFound; moved after a rename.
 */
export async function listUserRepositories(
  ctx: ServiceCtx,
  input: PageRequest & { username: string },
): Promise<Page<Repository>> {
  const { scope, owner } = await scopeOfAccount(ctx, input.username)
  return await pageOf(ctx, scope, input, owner)
}

/**
 * Returns the scope for listing the repositories of a user or organization that the caller can see, and the
 * account.
 * @throws {DomainError} notFound; moved after a rename.
 */
export async function scopeOfAccount(
  ctx: ServiceCtx,
  name: string,
): Promise<{ scope: ListScope; owner: Account }> {
  const owner = await getAccountOrMoved(ctx, name)
  const subject = subjectOf(ctx.caller)
  const isMember =
    owner.kind === 'organization' && (await organizationAccess(ctx.db, subject, owner)).isMember
  return { scope: await scopeOfOwner(ctx.db, subject, owner, isMember), owner }
}

async function pageOf(
  ctx: ServiceCtx,
  scope: ListScope,
  request: PageRequest,
  owner: Account,
): Promise<Page<Repository>> {
  const rows = await selectInScope(ctx.db, scope, request)
  const page = await pageFromRows(request, rows, () => countInScope(ctx.db, scope))
  return { ...page, items: await viewRepositories(ctx, page.items, [owner]) }
}
