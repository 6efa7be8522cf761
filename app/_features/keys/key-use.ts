import { dayMs, isNever } from '@/app/_lib/format'
import type { ListedKey } from '@/server/keys/schema'

type KeyUse = Pick<ListedKey, 'created_at' | 'last_used_at' | 'last_used_address'>

/** An unused key repeats the time it was added, but so does one that was used in the same second. */
export const isUsed = ({ created_at, last_used_at, last_used_address }: KeyUse): boolean =>
  last_used_address !== null || (last_used_at !== created_at && !isNever(last_used_at))

export const isRecentlyUsed = (key: KeyUse): boolean =>
  isUsed(key) && Date.now() - Date.parse(key.last_used_at) < 7 * dayMs

/** Whether a key is worth trying: it was never used, and still may be. */
export const isUntried = (key: KeyUse & Pick<ListedKey, 'expires_at'>): boolean =>
  !isUsed(key) && (key.expires_at === undefined || Date.parse(key.expires_at) > Date.now())
