import { isNever } from '@/app/_lib/is-never'
import type { PublicKey } from '@/server/keys/schema'

const week = 7 * 24 * 60 * 60 * 1000

/** An unused key repeats the time it was added. */
export function isUsed({ created_at, last_used_at }: PublicKey): boolean {
  return last_used_at !== created_at && !isNever(last_used_at)
}

export function isRecentlyUsed(key: PublicKey): boolean {
  return isUsed(key) && Date.now() - Date.parse(key.last_used_at) < week
}
