import type { Account } from '@/server/kernel/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { type Page, type PageRequest, pageFromRows, wholePage } from '@/server/kernel/pagination'
import { getVisibleAccount } from '@/server/users'
import { fingerprintIn } from './fingerprint'
import { maySeeOwner } from './policy'
import type { BrowseKeysInput, ListedKey, PublicKey } from './schema'
import { countOwnKeys, type KeyRow, type KeysWanted, selectKeysByFingerprint, selectOwnKeys } from './store'
import { viewKey, viewKeysOf, viewListedKeys, visibleOwner } from './view'

type ListInput = PageRequest & { fingerprint?: string }

/**
 * Lists a page of the caller's keys, oldest first. With a fingerprint, lists every key that has it and whose owner the
 * caller can see.
 */
export async function listMyKeys(ctx: UserCtx, input: ListInput): Promise<Page<PublicKey>> {
  if (input.fingerprint) return await withFingerprint(ctx, input.fingerprint)
  return await pageOfOwner(ctx, ctx.caller.user, input)
}

/**
 * Lists a page of a person's keys, oldest first. With a fingerprint, lists only the key that has it.
 * @throws {DomainError} notFound if the person does not exist for the caller.
 */
export async function listUserKeys(
  ctx: UserCtx,
  input: ListInput & { username: string },
): Promise<Page<PublicKey>> {
  const owner = await getVisibleAccount(ctx, input.username)
  if (input.fingerprint) return await withFingerprint(ctx, input.fingerprint, owner.id)
  return await pageOfOwner(ctx, owner, input)
}

/**
 * Lists a page of the SSH keys of the caller or another person that match a search text, with algorithm and
 * size. The owner and administrators also get the IP address from which each key was last used.
 * @throws {DomainError} notFound if the person does not exist for the caller.
 */
export async function browseKeys(ctx: UserCtx, input: BrowseKeysInput): Promise<Page<ListedKey>> {
  const owner = input.username === undefined ? ctx.caller.user : await getVisibleAccount(ctx, input.username)
  const { items, ...page } = await rowsOfOwner(ctx, owner, input, input)
  return { ...page, items: viewListedKeys(ctx, items) }
}

async function pageOfOwner(ctx: UserCtx, owner: Account, request: PageRequest): Promise<Page<PublicKey>> {
  const page = await rowsOfOwner(ctx, owner, { q: '', sort: 'oldest' }, request)
  return { ...page, items: viewKeysOf(ctx, owner, page.items) }
}

async function rowsOfOwner(
  ctx: UserCtx,
  owner: Account,
  wanted: KeysWanted,
  request: PageRequest,
): Promise<Page<KeyRow>> {
  const rows = await selectOwnKeys(ctx.db, owner.id, wanted, request)
  return await pageFromRows(request, rows, () => countOwnKeys(ctx.db, owner.id, wanted.q))
}

async function withFingerprint(ctx: UserCtx, text: string, ownerId?: number): Promise<Page<PublicKey>> {
  const fingerprint = fingerprintIn(text)
  const rows = isFingerprint(fingerprint) ? await selectKeysByFingerprint(ctx.db, fingerprint, ownerId) : []
  const shown: PublicKey[] = []
  for (const row of rows) {
    if (await maySeeOwner(ctx, row)) shown.push(viewKey(ctx, row, await visibleOwner(ctx, row)))
  }
  return wholePage(shown)
}

const isFingerprint = (text: string): boolean => /^[A-Za-z0-9:+/=]{1,255}$/.test(text)
