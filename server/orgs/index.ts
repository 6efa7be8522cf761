/** Organizations: who they are, who belongs to them, and how other rooms find and show them. */

export {
  loadOrganization,
  type OrganizationFor,
  type OrganizationWithAccess,
  visibleOrganization,
} from './load'
export { endMemberships } from './members/end-memberships'
export { removeMember, removeMembers, requireAnotherOwner } from './members/remove'
export { hasOwnerBesides, isOrgMember, selectMembersAmong } from './members/store'
export { requireOwner } from './policy'
export { removeOrg } from './remove'
export { lockOrg } from './store'
export { viewOrg } from './view'
