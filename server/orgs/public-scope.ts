import type { Visibility } from '@/db/tables/users'
import { subjectOf } from '@/server/access'
import type { Caller } from '@/server/kernel/caller'
import { forbidden } from '@/server/kernel/errors'

/** Throws forbidden when the caller's token is limited to public data and an organization of this visibility is not. */
export function requirePublicScope(caller: Caller, visibility: Visibility): void {
  const subject = subjectOf(caller)
  if (subject.kind === 'user' && subject.publicOnly && visibility !== 'public') {
    throw forbidden('token scope is limited to public orgs')
  }
}
