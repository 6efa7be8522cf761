import { defineList } from './list-choice'

const byPerson = [
  { value: 'name', label: 'Username' },
  { value: 'full_name', label: 'Full name' },
  { value: 'newest', label: 'Newest' },
  { value: 'oldest', label: 'Oldest' },
] as const

/** List of a team's members. */
export const teamPeopleList = defineList({ sorts: byPerson, filters: {} })

/** List of an organization's people. */
export const peopleList = defineList({
  sorts: byPerson,
  filters: {
    role: {
      label: 'Role',
      options: [
        { value: 'all', label: 'Everyone' },
        { value: 'owner', label: 'Owners' },
        { value: 'member', label: 'Members' },
      ],
    },
  },
})

/** List of an organization's people for viewers who can't see roles. */
export const publicPeopleList = defineList({ sorts: byPerson, filters: {} })

/** List of an organization's teams. */
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

/** List of a team's repositories. */
export const teamRepositoryList = defineList({
  sorts: [
    { value: 'name', label: 'Name' },
    { value: 'updated', label: 'Recently updated' },
    { value: 'newest', label: 'Recently added' },
  ],
  filters: {},
})

/** List of the site's accounts. */
export const userList = defineList({
  sorts: [
    { value: 'name', label: 'Username' },
    { value: 'newest', label: 'Newest' },
    { value: 'oldest', label: 'Oldest' },
    { value: 'last_login', label: 'Last signed in' },
  ],
  filters: {
    role: {
      label: 'Role',
      options: [
        { value: 'all', label: 'Everyone' },
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

/** List of a repository's branches. */
export const branchList = defineList({
  sorts: [
    { value: 'newest', label: 'Newest commit' },
    { value: 'name', label: 'Name' },
  ],
  filters: {},
})

/** List of a repository's tags. */
export const tagList = defineList({
  sorts: [
    { value: 'version', label: 'Highest version' },
    { value: 'newest', label: 'Newest' },
    { value: 'name', label: 'Name' },
  ],
  filters: {},
})

/** List of the site's organizations. */
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

/** Lists of repositories. */
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

/** Lists of repositories for viewers who can't see private ones. */
export const publicRepositoryList = defineList({
  sorts: repositoryList.sorts,
  filters: { kind: repositoryList.filters.kind },
})

/** Lists of people and organizations on the Explore page. */
export const accountList = defineList({
  sorts: [
    { value: 'name', label: 'Name' },
    { value: 'newest', label: 'Newest' },
  ],
  filters: {},
})

/** Lists of a person's SSH keys and of a repository's deploy keys. */
export const keyList = defineList({
  sorts: [
    { value: 'newest', label: 'Newest' },
    { value: 'name', label: 'Title' },
    { value: 'used', label: 'Last used' },
  ],
  filters: {},
})

/** List of a person's access tokens. */
export const tokenList = defineList({
  sorts: [
    { value: 'newest', label: 'Newest' },
    { value: 'name', label: 'Name' },
    { value: 'used', label: 'Last used' },
    { value: 'expires', label: 'Expiring soonest' },
  ],
  filters: {},
})

/** List of a person's sessions. */
export const sessionList = defineList({
  sorts: [
    { value: 'active', label: 'Last active' },
    { value: 'newest', label: 'Newest' },
  ],
  filters: {},
})
