import { defineList } from './list-choice'

const byPerson = [
  { value: 'name', label: 'User name' },
  { value: 'full_name', label: 'Full name' },
  { value: 'newest', label: 'Joined last' },
  { value: 'oldest', label: 'Joined first' },
] as const

/** The people of a team. */
export const teamPeopleList = defineList({ sorts: byPerson, filters: {} })

/** The people of an organization. */
export const peopleList = defineList({
  sorts: byPerson,
  filters: {
    role: {
      label: 'Role',
      options: [
        { value: 'all', label: 'Everybody' },
        { value: 'owner', label: 'Owners' },
        { value: 'member', label: 'Members' },
      ],
    },
  },
})
