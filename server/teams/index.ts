/** Teams: groups of an organization's members, with rights on its repositories. */
export { getTeam } from './find'
export { removeTeam } from './remove'
export { removeMember } from './remove-member'
