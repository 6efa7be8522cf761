/** Organizations: who they are, who belongs to them, and how other rooms find and show them. */
export { deleteCollaborations } from './collaboration-store'
export { getOrg, type SeenOrg, seeOrg } from './find'
export { requireAnotherOwner } from './last-owner'
export { lockOrg } from './lock'
export { isOrgMember } from './member-store'
export { requireMember, requireOwner } from './policy'
export { viewOrg } from './view'
