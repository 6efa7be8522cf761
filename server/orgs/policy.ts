import { forbidden } from '@/server/kernel/errors'
import type { SeenOrg } from './find'

/** Throws forbidden unless the caller belongs to the organization or administers the site. */
export function requireMember({ access }: SeenOrg): void {
  if (!access.isMember && !access.mayManage) throw forbidden('Must be an organization member')
}

/** Throws forbidden unless the caller owns the organization or administers the site. */
export function requireOwner({ access }: SeenOrg): void {
  if (!access.mayManage) throw forbidden('Must be an organization owner')
}
