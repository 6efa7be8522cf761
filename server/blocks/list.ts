import { type Account, findPersonByName } from '@/server/kernel/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import type { Page, PageRequest } from '@/server/kernel/pagination'
import { loadOrganization, selectMembersAmong } from '@/server/orgs'
import { findPeople, viewUser } from '@/server/users'
import type { Candidate, User } from '@/server/users/schema'
import { countBlocked, isBlocking, selectBlocked, selectBlockedAmong } from './store'

/** A page of the people the caller blocks. */
export async function listBlocked(ctx: UserCtx, input: PageRequest): Promise<Page<User>> {
  return await listOf(ctx, ctx.caller.user, input)
}

/** A page of the people an organization blocks, for its owners. @throws {DomainError} notFound; forbidden. */
export async function listBlockedByOrg(
  ctx: UserCtx,
  input: PageRequest & { org: string },
): Promise<Page<User>> {
  return await listOf(ctx, (await loadOrganization(ctx, input.org, 'ownership')).org, input)
}

async function listOf(ctx: UserCtx, blocker: Account, input: PageRequest): Promise<Page<User>> {
  const { page, limit } = input
  // Counted apart: over the rows of the page it would join every blocked account.
  const [rows, total] = await Promise.all([
    selectBlocked(ctx.db, blocker.id, input),
    countBlocked(ctx.db, blocker.id),
  ])
  return { page, limit, total, items: rows.map(row => viewUser(ctx, row)) }
}

/**
 * Requires that the caller blocks the person named, even if that account is hidden by now.
 * @throws {DomainError} notFound, with one message for "not blocked", "hidden" and "absent".
 */
export async function requireBlocked(ctx: UserCtx, username: string): Promise<void> {
  await requireBlockedBy(ctx, ctx.caller.user, username)
}

/**
 * Requires that an organization blocks the person named; for its owners.
 * @throws {DomainError} notFound, with one message for "not blocked", "hidden" and "absent"; forbidden.
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
 * People to block, found while typing; for an organization, by one of its owners.
 * @throws {DomainError} notFound; forbidden.
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
