import { type Account, findAccountById } from '@/server/kernel/account'
import type { UserCtx, ViewCtx } from '@/server/kernel/ctx'
import { wireTime } from '@/server/kernel/wire'
import { viewUser } from '@/server/users'
import type { User } from '@/server/users/schema'
import { ownsKey } from './policy'
import type { ListedKey, PublicKey } from './schema'
import { readStoredKey } from './ssh/parse'
import type { KeyRow } from './store'

/**
 * Converts an SSH key to its API representation for the caller. `owner` is needed only for a person's key
 * that the caller owns or can manage as an administrator.
 */
export function viewKey(ctx: ViewCtx, key: KeyRow, owner?: Account): PublicKey {
  return view(ctx, key, owner && viewUser(ctx, owner))
}

/** Converts SSH keys of one owner to their API representation for the caller. */
export function viewKeysOf(ctx: ViewCtx, owner: Account, keys: readonly KeyRow[]): PublicKey[] {
  const shown = viewUser(ctx, owner)
  return keys.map(key => view(ctx, key, shown))
}

/** Converts keys for pages that list them. */
export function viewListedKeys(ctx: ViewCtx, keys: readonly KeyRow[]): ListedKey[] {
  return keys.map(key => ({
    ...readStoredKey(key.content),
    ...view(ctx, key, undefined),
    last_used_address: (ownsKey(ctx.caller, key) && key.last_used_address) || null,
  }))
}

function view({ caller, config }: ViewCtx, key: KeyRow, owner: User | undefined): PublicKey {
  const created = wireTime(key.created_at)
  return {
    id: key.id,
    key: key.content,
    url: `${config.baseUrl}/api/v1/user/keys/${key.id}`,
    title: key.title,
    fingerprint: key.fingerprint,
    created_at: created,
    last_used_at: key.last_used_at ? wireTime(key.last_used_at) : created,
    ...(ownsKey(caller, key) ? privateDetails(key, owner) : {}),
  }
}

function privateDetails(
  key: KeyRow,
  owner: User | undefined,
): Pick<PublicKey, 'user' | 'read_only' | 'key_type' | 'expires_at'> {
  return {
    user: key.type === 'user' ? owner : undefined,
    read_only: key.mode === 'read',
    key_type: key.type === 'principal' ? 'unknown' : key.type,
    expires_at: key.expires_at ? wireTime(key.expires_at) : undefined,
  }
}

/** Returns the account to show as the owner of a key; undefined if the caller is not allowed to see it. */
export async function visibleOwner(ctx: UserCtx, key: KeyRow): Promise<Account | undefined> {
  if (key.owner_id === null || !ownsKey(ctx.caller, key)) return undefined
  if (key.owner_id === ctx.caller.user.id) return ctx.caller.user
  return await findAccountById(ctx.db, key.owner_id)
}
