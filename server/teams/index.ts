/** Teams: groups of an organization's members, with rights on its repositories. */
export { loadTeam, requireTeam } from './find'
export { removeTeam } from './remove'
export { removeMember } from './remove-member'
