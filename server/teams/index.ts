/** Teams: groups of an organization's members that share permissions on its repositories. */
export { loadTeam, requireTeam } from './load'
export { removeMember, removeMembers } from './members/remove'
export { selectUnits } from './permissions/store'
export { removeTeam, removeTeams } from './remove'
export { selectTeamsById } from './store'
export { viewTeam } from './view'
