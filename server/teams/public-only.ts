import type { Caller } from '@/server/kernel/caller'
import { askerOf } from '@/server/kernel/permissions/asker'

/** Is this a token that shows public data only, whoever holds it? */
export function seesOnlyPublic(caller: Caller): boolean {
  const asker = askerOf(caller)
  return asker.kind === 'user' && asker.publicOnly
}
