/** Organizations: who they are, who belongs to them, and how other rooms find and show them. */
export { deleteCollaborations } from './collaboration-store'
export {
  loadOrganization,
  type OrganizationFor,
  type OrganizationWithAccess,
  organizationWithAccess,
} from './find'
export { requireAnotherOwner } from './last-owner'
export { lockOrg } from './lock'
export { isOrgMember, selectMembersAmong } from './member-store'
export { requireOwner } from './policy'
export { removeOrg } from './remove'
export { removeMember } from './remove-member'
export { viewOrg } from './view'
