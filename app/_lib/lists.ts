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

/** The people of an organization, for those who do not see their roles. */
export const publicPeopleList = defineList({ sorts: byPerson, filters: {} })

/** The teams of an organization. */
export const teamList = defineList({
  sorts: [
    { value: 'name', label: 'Name' },
    { value: 'members', label: 'Most members' },
    { value: 'newest', label: 'Newest' },
  ],
  filters: {
    membership: {
      label: 'Membership',
      options: [
        { value: 'all', label: 'All teams' },
        { value: 'mine', label: 'Your teams' },
      ],
    },
  },
})

/** The repositories of a team. */
export const teamRepositoryList = defineList({
  sorts: [
    { value: 'name', label: 'Name' },
    { value: 'updated', label: 'Changed last' },
    { value: 'newest', label: 'Added last' },
  ],
  filters: {},
})

/** The accounts of the site. */
export const userList = defineList({
  sorts: [
    { value: 'name', label: 'User name' },
    { value: 'newest', label: 'Newest' },
    { value: 'oldest', label: 'Oldest' },
    { value: 'last_login', label: 'Last signed in' },
  ],
  filters: {
    role: {
      label: 'Role',
      options: [
        { value: 'all', label: 'Everybody' },
        { value: 'administrators', label: 'Administrators' },
        { value: 'others', label: 'Not administrators' },
        { value: 'restricted', label: 'Restricted' },
        { value: 'must_change_password', label: 'Must change password' },
      ],
    },
    state: {
      label: 'State',
      options: [
        { value: 'all', label: 'Any state' },
        { value: 'active', label: 'Active' },
        { value: 'disabled', label: 'Disabled' },
        { value: 'inactive', label: 'Not activated' },
      ],
    },
  },
})

/** The branches of a repository. */
export const branchList = defineList({
  sorts: [
    { value: 'newest', label: 'Newest commit' },
    { value: 'name', label: 'Name' },
  ],
  filters: {},
})

/** The tags of a repository. */
export const tagList = defineList({
  sorts: [
    { value: 'version', label: 'Highest version' },
    { value: 'newest', label: 'Newest' },
    { value: 'name', label: 'Name' },
  ],
  filters: {},
})

/** The organizations of the site. */
export const siteOrgList = defineList({
  sorts: [
    { value: 'name', label: 'Name' },
    { value: 'newest', label: 'Newest' },
    { value: 'members', label: 'Most members' },
    { value: 'repositories', label: 'Most repositories' },
  ],
  filters: {
    visibility: {
      label: 'Visibility',
      options: [
        { value: 'all', label: 'Any visibility' },
        { value: 'public', label: 'Public' },
        { value: 'limited', label: 'Limited' },
        { value: 'private', label: 'Private' },
      ],
    },
  },
})

/** Repositories, wherever they are listed. */
export const repositoryList = defineList({
  sorts: [
    { value: 'updated', label: 'Recently updated' },
    { value: 'name', label: 'Name' },
    { value: 'newest', label: 'Newest' },
    { value: 'size', label: 'Largest' },
  ],
  filters: {
    kind: {
      label: 'Kind',
      options: [
        { value: 'all', label: 'All kinds' },
        { value: 'sources', label: 'Sources' },
        { value: 'templates', label: 'Templates' },
        { value: 'archived', label: 'Archived' },
      ],
    },
    visibility: {
      label: 'Visibility',
      options: [
        { value: 'all', label: 'Public and private' },
        { value: 'public', label: 'Public' },
        { value: 'private', label: 'Private' },
      ],
    },
  },
})

/** Repositories, for those who see no private ones. */
export const publicRepositoryList = defineList({
  sorts: repositoryList.sorts,
  filters: { kind: repositoryList.filters.kind },
})

/** People or organizations that somebody looks through. */
export const accountList = defineList({
  sorts: [
    { value: 'name', label: 'Name' },
    { value: 'newest', label: 'Newest' },
  ],
  filters: {},
})

/** SSH keys of a person, and deploy keys of a repository. */
export const keyList = defineList({
  sorts: [
    { value: 'newest', label: 'Newest' },
    { value: 'name', label: 'Title' },
    { value: 'used', label: 'Last used' },
  ],
  filters: {},
})

/** The access tokens of a person. */
export const tokenList = defineList({
  sorts: [
    { value: 'newest', label: 'Newest' },
    { value: 'name', label: 'Name' },
    { value: 'used', label: 'Last used' },
    { value: 'expires', label: 'Expires first' },
  ],
  filters: {},
})

/** The browsers a person is signed in with. */
export const sessionList = defineList({
  sorts: [
    { value: 'active', label: 'Last active' },
    { value: 'newest', label: 'Newest' },
  ],
  filters: {},
})
