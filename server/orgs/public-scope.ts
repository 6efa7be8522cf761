import type { Visibility } from '@/db/tables/users'
import type { Caller } from '@/server/kernel/caller'
import { forbidden } from '@/server/kernel/errors'
import { askerOf } from '@/server/kernel/permissions/asker'

/** Throws forbidden when the caller's token is limited to public data and an organization of this visibility is not. */
export function requirePublicScope(caller: Caller, visibility: Visibility): void {
  const asker = askerOf(caller)
  if (asker.kind === 'user' && asker.publicOnly && visibility !== 'public') {
    throw forbidden('token scope is limited to public orgs')
  }
}
