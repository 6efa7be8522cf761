/**
 * Organizations: their profiles and members, and the functions with which other modules load and present
 * them.
 */

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
