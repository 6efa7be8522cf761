import { subjectOf } from '@/server/access'
import type { Caller } from '@/server/kernel/caller'
import { forbidden } from '@/server/kernel/errors'
import type { OrganizationWithAccess } from './find'
import type { MembersShown } from './member-list-store'

/** Throws forbidden unless the caller belongs to the organization or administers the site. */
export function requireMember({ access }: OrganizationWithAccess): void {
  if (!access.isMember && !access.mayManage) throw forbidden('Must be an organization member')
}

/** Throws forbidden unless the caller owns the organization or administers the site. */
export function requireOwner({ access }: OrganizationWithAccess): void {
  if (!access.mayManage) throw forbidden('Must be an organization owner')
}

/** Who works together may know each other; all others, and tokens limited to public data, see who wants to be seen. */
export function membersShown(caller: Caller, { access }: OrganizationWithAccess): MembersShown {
  const subject = subjectOf(caller)
  if (subject.kind === 'anonymous' || subject.publicOnly) return 'public'
  return access.isMember || access.mayManage ? 'all' : 'public'
}
