import type { Account } from '@/server/kernel/auth/account'
import type { Caller } from '@/server/kernel/caller'
import { wireTime } from '@/server/kernel/wire'
import { viewUser } from '@/server/users'
import { ownsKey } from './policy'
import type { PublicKey } from './schema'
import type { KeyRow } from './store'

/** The key as this viewer may see it; `owner` is needed only where `ownsKey` holds and the key is a person's. */
export function viewKey(key: KeyRow, viewer: Caller, baseUrl: string, owner?: Account): PublicKey {
  return {
    id: key.id,
    key: key.content,
    url: `${baseUrl}/api/v1/user/keys/${key.id}`,
    title: key.title,
    fingerprint: key.fingerprint,
    created_at: wireTime(key.created_at),
    last_used_at: wireTime(key.last_used_at ?? key.created_at),
    ...(ownsKey(viewer, key) ? privateDetails(key, viewer, baseUrl, owner) : {}),
  }
}

function privateDetails(
  key: KeyRow,
  viewer: Caller,
  baseUrl: string,
  owner: Account | undefined,
): Pick<PublicKey, 'user' | 'read_only' | 'key_type'> {
  return {
    user: key.type === 'user' && owner ? viewUser(owner, viewer, baseUrl) : undefined,
    read_only: key.mode === 'read',
    key_type: key.type === 'principal' ? 'unknown' : key.type,
  }
}
