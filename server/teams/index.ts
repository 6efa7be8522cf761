/** Teams: groups of an organization's members, with rights on its repositories. */
export { loadTeam, requireTeam } from './load'
export { removeMember } from './members/remove'
export { removeTeam } from './remove'
