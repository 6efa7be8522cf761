import type { Visibility } from '@/db/tables/users'
import { subjectOf, visiblePeople } from '@/server/access'
import type { Account } from '@/server/kernel/account'
import type { AdminCtx, ServiceCtx, UserCtx } from '@/server/kernel/ctx'
import { unprocessable } from '@/server/kernel/errors'
import { directionOf, type Page, type PageRequest, pageFromRows } from '@/server/kernel/pagination'
import { countUsers, selectUsers, type UserFilter, type UserSort } from './list-store'
import {
  type BrowsedUser,
  type BrowseUsersInput,
  type ListUsersInput,
  type User,
  visibilities,
} from './schema'
import { viewUser } from './view'

/**
 * Maximum length of a search text, in characters. No name is longer, so a longer text returns no results
 * without a query.
 */
const maxTextLength = 100
const maxAddressLength = 254

/**
 * Returns a page of the people who are visible to the caller, oldest account first, optionally filtered by a
 * text or an ID.
 */
export async function searchUsers(
  ctx: ServiceCtx,
  input: PageRequest & { q?: string; uid?: number },
): Promise<Page<User>> {
  return await list(ctx, input, { id: input.uid }, oldestFirst)
}

/**
 * Returns a page of all people who match the filter, for administrators, sorted by ID unless specified
 * otherwise.
 * @throws {DomainError} unprocessable if the visibility or the sort order is unknown.
 */
export async function listUsers(ctx: AdminCtx, input: ListUsersInput): Promise<Page<User>> {
  const sort = sortOf(input)
  const wanted = {
    visibility: visibilityOf(input.visibility),
    loginName: input.login_name?.trim() || undefined,
    sourceId: input.source_id,
    isActive: input.is_active,
    isAdmin: input.is_admin,
    isRestricted: input.is_restricted,
    isProhibited: input.is_prohibit_login,
  }
  if (input.is_2fa_enabled) return { page: input.page, limit: input.limit, items: [], total: 0 }
  return await list(ctx, input, wanted, sort)
}

const roles: Record<BrowseUsersInput['role'], UserFilter> = {
  all: {},
  administrators: { isAdmin: true },
  others: { isAdmin: false },
  restricted: { isRestricted: true },
  must_change_password: { mustChangePassword: true },
}

const states: Record<BrowseUsersInput['state'], UserFilter> = {
  all: {},
  active: { isActive: true, isProhibited: false },
  disabled: { isProhibited: true },
  inactive: { isActive: false },
}

const browseSorts: Record<BrowseUsersInput['sort'], UserSort> = {
  name: { by: 'name', direction: 'asc' },
  newest: { by: 'id', direction: 'desc' },
  oldest: { by: 'id', direction: 'asc' },
  last_login: { by: 'lastLogin', direction: 'desc' },
}

/**
 * Returns a page of all people who match the filter, for administrators, with whether each must change their
 * password.
 */
export async function browseUsers(ctx: AdminCtx, input: BrowseUsersInput): Promise<Page<BrowsedUser>> {
  const wanted = { ...roles[input.role], ...states[input.state] }
  const found = await select(ctx, input, wanted, browseSorts[input.sort])
  return {
    ...found,
    items: found.items.map(row => ({
      ...viewUser(ctx, row),
      must_change_password: row.must_change_password,
    })),
  }
}

async function list(
  ctx: ServiceCtx,
  input: PageRequest & { q?: string | undefined },
  wanted: UserFilter,
  sort: UserSort,
): Promise<Page<User>> {
  const found = await select(ctx, input, wanted, sort)
  return { ...found, items: found.items.map(row => viewUser(ctx, row)) }
}

async function select(
  ctx: ServiceCtx,
  input: PageRequest & { q?: string | undefined },
  wanted: UserFilter,
  sort: UserSort,
): Promise<Page<Account>> {
  const { page, limit } = input
  const text = input.q?.trim()
  if (text && text.length > maxTextLength) return { page, limit, items: [], total: 0 }
  const filter: UserFilter = { ...wanted, text, visible: visiblePeople(subjectOf(ctx.caller)) }
  const rows = await selectUsers(ctx.db, filter, sort, input)
  return await pageFromRows({ page, limit }, rows, () => countUsers(ctx.db, filter))
}

function visibilityOf(word: string | undefined): Visibility | undefined {
  if (!word) return undefined
  const known = visibilities.find(visibility => visibility === word)
  if (known) return known
  throw unprocessable('Invalid visibility: use public, limited, or private', { field: 'visibility' })
}

const oldestFirst: UserSort = { by: 'id', direction: 'asc' }

// Creation times are never set back, so IDs are in the order of creation.
const sorts = { name: 'name', created: 'id', updated: 'update', last_login: 'lastLogin', id: 'id' } as const

function sortOf({ sort, order }: ListUsersInput): UserSort {
  const direction = directionOf(order)
  if (!sort) return oldestFirst
  if (!Object.hasOwn(sorts, sort)) {
    throw unprocessable('Invalid sort mode: use name, created, updated, last_login, or id', { field: 'sort' })
  }
  return { by: sorts[sort as keyof typeof sorts], direction }
}

/** As many people as someone reads through while typing. */
const somePeople = { page: 1, limit: 8 }

/**
 * Returns the first people visible to the caller whose username or full name contains the text, or whose
 * visible email address equals it.
 */
export async function findPeople(ctx: UserCtx, q: string): Promise<Account[]> {
  const text = q.trim()
  if (text === '' || text.length > maxAddressLength) return []
  const filter = { text, byAddress: true, visible: visiblePeople(subjectOf(ctx.caller)) }
  return await selectUsers(ctx.db, filter, oldestFirst, somePeople)
}
