import { dayMs, isNever } from '@/app/_lib/format'
import type { ListedKey } from '@/server/keys/schema'

type KeyUse = Pick<ListedKey, 'created_at' | 'last_used_at' | 'last_used_address'>

/**
 * Returns whether a key was ever used. `last_used_at` alone is not enough: it equals `created_at` both for an
 * unused key and for one used within the second it was added.
 */
export const isUsed = ({ created_at, last_used_at, last_used_address }: KeyUse): boolean =>
  last_used_address !== null || (last_used_at !== created_at && !isNever(last_used_at))

export const isRecentlyUsed = (key: KeyUse): boolean =>
  isUsed(key) && Date.now() - Date.parse(key.last_used_at) < 7 * dayMs

/** Returns whether a key was never used and has not expired, so that it can be tested. */
export const isUntried = (key: KeyUse & Pick<ListedKey, 'expires_at'>): boolean =>
  !isUsed(key) && (key.expires_at === undefined || Date.parse(key.expires_at) > Date.now())
