import { type Account, findPersonByName } from '@/server/kernel/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import type { Page, PageRequest } from '@/server/kernel/pagination'
import { loadOrganization, selectMembersAmong } from '@/server/orgs'
import { findPeople, viewUser } from '@/server/users'
import type { Candidate, User } from '@/server/users/schema'
import { countBlocked, isBlocking, selectBlocked, selectBlockedAmong } from './store'

/** Returns a page of the people that the caller has blocked. */
export async function listBlocked(ctx: UserCtx, input: PageRequest): Promise<Page<User>> {
  return await listOf(ctx, ctx.caller.user, input)
}

/**
 * Returns a page of the people that an organization has blocked. The caller must own the organization.
 * @throws {DomainError} notFound if the organization does not exist for the caller; forbidden if they do not
 * own it.
 */
export async function listBlockedByOrg(
  ctx: UserCtx,
  input: PageRequest & { org: string },
): Promise<Page<User>> {
  return await listOf(ctx, (await loadOrganization(ctx, input.org, 'ownership')).org, input)
}

async function listOf(ctx: UserCtx, blocker: Account, input: PageRequest): Promise<Page<User>> {
  const { page, limit } = input
  // Counted separately, because a window total on the page would join every blocked account.
  const [rows, total] = await Promise.all([
    selectBlocked(ctx.db, blocker.id, input),
    countBlocked(ctx.db, blocker.id),
  ])
  return { page, limit, total, items: rows.map(row => viewUser(ctx, row)) }
}

/**
 * Checks that the caller has blocked this person, even if the account has since become hidden.
 * @throws {DomainError} notFound, with the same message if the person is not blocked, hidden, or absent.
 */
export async function requireBlocked(ctx: UserCtx, username: string): Promise<void> {
  await requireBlockedBy(ctx, ctx.caller.user, username)
}

/**
 * Checks that an organization has blocked this person. The caller must own the organization.
 * @throws {DomainError} notFound, with the same message if the person is not blocked, hidden, or absent;
 * forbidden if the caller does not own the organization.
 */
export async function requireBlockedByOrg(
  ctx: UserCtx,
  input: { org: string; username: string },
): Promise<void> {
  await requireBlockedBy(ctx, (await loadOrganization(ctx, input.org, 'ownership')).org, input.username)
}

async function requireBlockedBy(ctx: UserCtx, blocker: Account, username: string): Promise<void> {
  const account = await findPersonByName(ctx.db, username)
  if (!account || !(await isBlocking(ctx.db, blocker.id, account.id))) throw notFound()
}

/**
 * Returns suggestions, as the user types, for people to block. With `org`, the block is the organization's,
 * which the caller must own. Each suggestion includes the reason, if any, why the person cannot be blocked.
 * @throws {DomainError} notFound if the organization does not exist for the caller; forbidden if they do not
 * own it.
 */
export async function listBlockCandidates(
  ctx: UserCtx,
  input: { org?: string | undefined; q: string },
): Promise<Candidate[]> {
  const { user } = ctx.caller
  const blocker = input.org === undefined ? user : (await loadOrganization(ctx, input.org, 'ownership')).org
  const found = await findPeople(ctx, input.q)
  const ids = found.map(({ id }) => id)
  const blocked = await selectBlockedAmong(ctx.db, blocker.id, ids)
  const members = await selectMembersAmong(ctx.db, blocker.id, ids)
  return found.map(account => ({
    user: viewUser(ctx, account),
    obstacle:
      account.id === user.id
        ? 'self'
        : blocked.has(account.id)
          ? 'blocked'
          : members.has(account.id)
            ? 'member'
            : null,
  }))
}
