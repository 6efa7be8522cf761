import { hashKey, queryOptions } from '@tanstack/react-query'
import type { AccessMode } from '@/server/access/access-mode'
import type { UnitModes } from '@/server/access/units'
import type { WayOut } from '@/server/departures/schema'
import type { BrowsedHook } from '@/server/hooks/manage/schema'
import type { PlaceName } from '@/server/places/schema'
import type { TeamPermissions } from '@/server/teams/schema'
import type { Candidate, ListUsersInput } from '@/server/users/schema'
import type { ListChoice } from './list-choice'
import type { peopleList, teamPeopleList } from './lists'
import type { RepoPath } from './paths'
import { trpc } from './trpc'

/** How calls of pages name a hook. */
export interface HookName {
  place: PlaceName
  id: number
}

/** The name of each thing that screens read; one that begins others is for refreshing all of them. */
export const queryKeys = {
  sshKeys: (username: string) => ['keys', username] as const,
  tokens: (username: string) => ['tokens', username] as const,
  sessions: ['sessions'] as const,
  users: ['users'] as const,
  blocks: ['blocks'] as const,
  candidates: ['candidates'] as const,
  hooks: (place: PlaceName) => ['hooks', place] as const,
  hook: ({ place, id }: HookName) => ['hooks', place, id] as const,
  orgMembers: (org: string) => ['org-members', org] as const,
  team: {
    members: (id: number) => ['team', id, 'members'] as const,
    repositories: (id: number) => ['team', id, 'repositories'] as const,
    preview: (id: number) => ['team', id, 'preview'] as const,
    memberPreview: (id: number) => ['team', id, 'member-preview'] as const,
  },
  repository: {
    deployKeys: ({ owner, repo }: RepoPath) => ['deploy-keys', owner, repo] as const,
    collaborators: ({ owner, repo }: RepoPath) => ['collaborators', owner, repo] as const,
    teams: ({ owner, repo }: RepoPath) => ['repository-teams', owner, repo] as const,
    access: ({ owner, repo }: RepoPath) => ['access', owner, repo] as const,
  },
}

/** Whose SSH keys a list shows: the viewer's own, or somebody's whom an administrator looks after. */
export interface KeyOwner {
  username: string
  mine: boolean
}

export const keysQuery = ({ username, mine }: KeyOwner, page: number) =>
  queryOptions({
    queryKey: [...queryKeys.sshKeys(username), page],
    queryFn: () => trpc.keys.listNewest.query({ username: mine ? undefined : username, page }),
  })

export const deployKeysQuery = (path: RepoPath, page: number) =>
  queryOptions({
    queryKey: [...queryKeys.repository.deployKeys(path), page],
    queryFn: () => trpc.keys.deploy.listNewest.query({ ...path, page }),
  })

export const tokensQuery = (username: string, page: number) =>
  queryOptions({
    queryKey: [...queryKeys.tokens(username), page],
    queryFn: () => trpc.tokens.listExpiring.query({ username, page }),
  })

export const hooksQuery = (place: PlaceName, page: number) =>
  queryOptions({
    queryKey: [...queryKeys.hooks(place), 'list', page],
    queryFn: () => trpc.hooks.browse.query({ place, page }),
  })

/** All hooks of a place, from all pages of their list. */
export const allHooksQuery = (place: PlaceName) =>
  queryOptions({
    queryKey: [...queryKeys.hooks(place), 'all'],
    queryFn: async () => {
      const all: BrowsedHook[] = []
      for (let page = 1; ; page++) {
        const { items, total } = await trpc.hooks.browse.query({ place, page, limit: 50 })
        all.push(...items)
        if (items.length === 0 || all.length >= total) return all
      }
    },
  })

export const hookQuery = (place: PlaceName, id: number) =>
  queryOptions({
    queryKey: queryKeys.hook({ place, id }),
    queryFn: () => trpc.hooks.get.query({ place, id }),
  })

/** What happened in a place that its hooks can be told of, from an event on, newest first. */
export const hookEventsQuery = (place: PlaceName, cursor: number | undefined) =>
  queryOptions({
    queryKey: [...queryKeys.hooks(place), 'events', cursor ?? null],
    queryFn: () => trpc.hooks.listEvents.query({ place, cursor }),
  })

/** One event, with what was decided for each hook. */
export const hookEventQuery = (place: PlaceName, id: number) =>
  queryOptions({
    queryKey: [...queryKeys.hooks(place), 'event', id],
    queryFn: () => trpc.hooks.explainEvent.query({ place, event_id: id }),
    retry: false,
  })

/** Why nothing that is sent to an address would arrive; null where it could. */
export const addressWarningQuery = (place: PlaceName, url: string) =>
  queryOptions({
    queryKey: ['hook-address', place, url],
    queryFn: () => trpc.hooks.checkAddress.query({ place, url }),
    retry: false,
  })

/** Who blocks: an organization, or the viewer when there is none. */
export type Blocker = string | undefined

export const blocksQuery = (org: Blocker, page: number) =>
  queryOptions({
    queryKey: [...queryKeys.blocks, org ?? null, page],
    queryFn: () =>
      org === undefined ? trpc.blocks.list.query({ page }) : trpc.blocks.listOfOrg.query({ org, page }),
  })

/** What keeps an account from having this name. */
export const nameObstacleQuery = (name: string) =>
  queryOptions({
    queryKey: ['name-obstacle', name],
    queryFn: () => trpc.orgs.getNameObstacle.query({ name }),
  })

/** Whether the owner has a repository of this name. */
export const repositoryNameTakenQuery = (owner: string, name: string) =>
  queryOptions({
    queryKey: ['repository-name-taken', owner, name],
    queryFn: () => trpc.repos.isNameTaken.query({ owner, name }),
  })

export const sessionsQuery = () =>
  queryOptions({ queryKey: queryKeys.sessions, queryFn: () => trpc.sessions.list.query() })

export const usersQuery = (input: Partial<ListUsersInput>) =>
  queryOptions({ queryKey: [...queryKeys.users, input], queryFn: () => trpc.users.list.query(input) })

/** What somebody is looked for: it tells who cannot be chosen, and why. */
export type PeopleToFind =
  | { for: 'anything' }
  | { for: 'team'; id: number }
  | { for: 'repository'; owner: string; repo: string }
  | { for: 'block'; org: string | undefined }

/** People whose name holds the text, a few at most. */
export const candidatesQuery = (find: PeopleToFind, q: string) =>
  queryOptions({ queryKey: [...queryKeys.candidates, find, q], queryFn: () => findCandidates(find, q) })

async function findCandidates(find: PeopleToFind, q: string): Promise<Candidate[]> {
  switch (find.for) {
    case 'team':
      return await trpc.teams.listCandidates.query({ id: find.id, q })
    case 'repository':
      return await trpc.repos.collaborators.listCandidates.query({ owner: find.owner, repo: find.repo, q })
    case 'block':
      return await trpc.blocks.listCandidates.query({ org: find.org, q })
    case 'anything': {
      const { items } = await trpc.users.search.query({ q, limit: 8 })
      return items.map(user => ({ user, obstacle: null }))
    }
  }
}

/** Repositories of one owner whose name holds the text, a few at most. */
export const repositorySearchQuery = (ownerId: number, q: string) =>
  queryOptions({
    queryKey: ['repository-search', ownerId, q],
    queryFn: () => trpc.repos.search.query({ q, uid: ownerId, exclusive: true, sort: 'alpha', limit: 8 }),
  })

export const peopleQuery = (org: string, choice: ListChoice<typeof peopleList>) =>
  queryOptions({
    queryKey: [...queryKeys.orgMembers(org), choice],
    queryFn: () => trpc.orgs.members.listPeople.query({ org, ...choice }),
  })

export const teamMembersQuery = (id: number, choice: ListChoice<typeof teamPeopleList>) =>
  queryOptions({
    queryKey: [...queryKeys.team.members(id), choice],
    queryFn: () => trpc.teams.browseMembers.query({ id, ...choice }),
  })

export const teamRepositoriesQuery = (id: number, page: number) =>
  queryOptions({
    queryKey: [...queryKeys.team.repositories(id), page],
    queryFn: () => trpc.teams.listRepositories.query({ id, page }),
  })

export const collaboratorsQuery = (path: RepoPath, page: number) =>
  queryOptions({
    queryKey: [...queryKeys.repository.collaborators(path), page],
    queryFn: () => trpc.repos.collaborators.listWithModes.query({ ...path, page }),
  })

export const repositoryTeamsQuery = (path: RepoPath) =>
  queryOptions({
    queryKey: queryKeys.repository.teams(path),
    queryFn: () => trpc.teams.browseOfRepository.query(path),
  })

/** What somebody may do in a repository, and why. */
export const accessQuery = (path: RepoPath, username: string) =>
  queryOptions({
    queryKey: [...queryKeys.repository.access(path), username],
    queryFn: () => trpc.repos.explainAccess.query({ ...path, username }),
  })

/** Teams whose name holds the text, a few at most, with what keeps each from being given the repository. */
export const teamCandidatesQuery = (path: RepoPath, q: string) =>
  queryOptions({
    queryKey: [...queryKeys.repository.teams(path), 'candidates', q],
    queryFn: () => trpc.teams.listCandidatesOfRepository.query({ ...path, q }),
  })

/** The repositories of an account that are not private, as of now: how many, and the first by name. */
export const openRepositoriesQuery = (ownerId: number) =>
  queryOptions({
    queryKey: ['open-repositories', ownerId],
    queryFn: async () => {
      const found = await trpc.repos.search.query({
        uid: ownerId,
        exclusive: true,
        is_private: false,
        sort: 'alpha',
        limit: 5,
      })
      return { total: found.total, names: found.items.map(({ name }) => name) }
    },
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })

/** What a way out would end, as of now: never from an earlier look. */
export const departureQuery = (wayOut: WayOut) =>
  queryOptions({
    queryKey: ['departure', wayOut],
    queryFn: () => trpc.departures.preview.query(wayOut),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

/** The permissions of a team as calls take them; the team keeps its units when none are given. */
export interface ChosenPermissions {
  permission: AccessMode
  units_map?: UnitModes
  includes_all_repositories?: boolean
}

/** Permissions chosen for a team, and those they were chosen from: on others they would have other effects. */
export interface TeamChange extends ChosenPermissions {
  id: number
  expected: TeamPermissions
}

/** Who would gain or lose what if a team were changed so. */
export const teamPreviewQuery = (change: TeamChange) =>
  queryOptions({
    queryKey: [...queryKeys.team.preview(change.id), hashKey([change.expected]), change],
    queryFn: ({ signal }) => trpc.teams.preview.query(change, { signal }),
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })

/** On which repositories one person would gain or lose what. */
export const memberPreviewQuery = (change: TeamChange, username: string) =>
  queryOptions({
    queryKey: [...queryKeys.team.memberPreview(change.id), change, username],
    queryFn: ({ signal }) => trpc.teams.previewMember.query({ ...change, username }, { signal }),
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })
