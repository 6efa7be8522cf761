import { type OrganizationAccess, subjectOf } from '@/server/access'
import type { Caller } from '@/server/kernel/caller'
import { forbidden } from '@/server/kernel/errors'
import type { MembersShown } from './members/store'

/** Permission that a caller needs in an organization. Every owner is a member and can create repositories. */
export type OrganizationNeed = 'view' | 'membership' | 'repositoryCreation' | 'ownership'

interface WithAccess {
  access: OrganizationAccess
}

/**
 * Checks that the caller has the given permission in the organization.
 * @throws {DomainError} forbidden if the caller lacks the permission.
 */
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
 * Checks that the caller is a member of the organization or a site administrator.
 * @throws {DomainError} forbidden if they are neither.
 */
function requireMember({ access }: WithAccess): void {
  if (!access.isMember && !access.mayManage) throw forbidden('Must be an organization member')
}

/**
 * Checks that the caller is an owner of the organization or a site administrator.
 * @throws {DomainError} forbidden if they are neither.
 */
export function requireOwner({ access }: WithAccess): void {
  if (!access.mayManage) throw forbidden('Must be an organization owner')
}

/**
 * Returns which members the caller can see: all for members and administrators, only public ones for other
 * callers and public-only tokens.
 */
export function membersShown(caller: Caller, { access }: WithAccess): MembersShown {
  const subject = subjectOf(caller)
  if (subject.kind === 'anonymous' || subject.publicOnly) return 'public'
  return access.isMember || access.mayManage ? 'all' : 'public'
}
