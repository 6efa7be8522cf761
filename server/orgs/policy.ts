import { type OrganizationAccess, subjectOf } from '@/server/access'
import type { Caller } from '@/server/kernel/caller'
import { forbidden } from '@/server/kernel/errors'
import type { MembersShown } from './members/store'

/** What a caller must be allowed in an organization: each owner is a member, and may create repositories. */
export type OrganizationNeed = 'view' | 'membership' | 'repositoryCreation' | 'ownership'

interface WithAccess {
  access: OrganizationAccess
}

/** @throws {DomainError} forbidden when the caller lacks the need. */
export function requireNeed(found: WithAccess, need: OrganizationNeed): void {
  switch (need) {
    case 'view':
      return
    case 'membership':
      requireMember(found)
      return
    case 'repositoryCreation':
      if (found.access.mayCreateRepository) return
      throw forbidden('User is not allowed to create repositories in this organization.')
    case 'ownership':
      requireOwner(found)
  }
}

/**
 * Requires that the caller belongs to the organization or administers the site.
 * @throws {DomainError} forbidden
 */
function requireMember({ access }: WithAccess): void {
  if (!access.isMember && !access.mayManage) throw forbidden('Must be an organization member')
}

/** Requires that the caller owns the organization or administers the site. @throws {DomainError} forbidden */
export function requireOwner({ access }: WithAccess): void {
  if (!access.mayManage) throw forbidden('Must be an organization owner')
}

/** Which members the caller sees: people inside see all; others, and tokens limited to public data, the public ones. */
export function membersShown(caller: Caller, { access }: WithAccess): MembersShown {
  const subject = subjectOf(caller)
  if (subject.kind === 'anonymous' || subject.publicOnly) return 'public'
  return access.isMember || access.mayManage ? 'all' : 'public'
}
