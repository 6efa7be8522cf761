import type { Caller } from '@/server/kernel/caller'
import { forbidden } from '@/server/kernel/errors'
import { askerOf } from '@/server/kernel/permissions/asker'
import type { SeenOrg } from './find'
import type { MembersShown } from './member-list-store'

/** Throws forbidden unless the caller belongs to the organization or administers the site. */
export function requireMember({ access }: SeenOrg): void {
  if (!access.isMember && !access.mayManage) throw forbidden('Must be an organization member')
}

/** Throws forbidden unless the caller owns the organization or administers the site. */
export function requireOwner({ access }: SeenOrg): void {
  if (!access.mayManage) throw forbidden('Must be an organization owner')
}

/** Who works together may know each other; all others, and tokens limited to public data, see who wants to be seen. */
export function membersShown(caller: Caller, { access }: SeenOrg): MembersShown {
  const asker = askerOf(caller)
  if (asker.kind === 'anonymous' || asker.publicOnly) return 'public'
  return access.isMember || access.mayManage ? 'all' : 'public'
}
