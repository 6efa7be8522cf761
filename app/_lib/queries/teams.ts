import { hashKey, queryOptions } from '@tanstack/react-query'
import type { AccessMode } from '@/server/access/access-mode'
import type { UnitModes } from '@/server/access/units'
import type { TeamPermissions } from '@/server/teams/schema'
import type { ListChoice } from '../list-choice'
import type { teamList, teamPeopleList, teamRepositoryList } from '../lists'
import { trpc } from '../trpc'

export const teamsKey = (org: string) => ['teams', org] as const

export const teamsQuery = (org: string, choice: ListChoice<typeof teamList>) =>
  queryOptions({
    queryKey: [...teamsKey(org), choice],
    queryFn: () => trpc.teams.browse.query({ org, ...choice }),
  })

export const teamMembersKey = (id: number) => ['team', id, 'members'] as const

export const teamMembersQuery = (id: number, choice: ListChoice<typeof teamPeopleList>) =>
  queryOptions({
    queryKey: [...teamMembersKey(id), choice],
    queryFn: () => trpc.teams.browseMembers.query({ id, ...choice }),
  })

export const teamRepositoriesKey = (id: number) => ['team', id, 'repositories'] as const

export const teamRepositoriesQuery = (id: number, choice: ListChoice<typeof teamRepositoryList>) =>
  queryOptions({
    queryKey: [...teamRepositoriesKey(id), choice],
    queryFn: () => trpc.teams.browseRepositories.query({ id, ...choice }),
  })

/** A team's permissions as API input. Without `units_map`, the team keeps its units. */
export interface SelectedPermissions {
  permission: AccessMode
  units_map?: UnitModes
  includes_all_repositories?: boolean
}

/**
 * Selected permissions of a team, with the permissions that the page showed before, because the server
 * refuses a change that is based on outdated ones.
 */
export interface TeamChange extends SelectedPermissions {
  id: number
  expected: TeamPermissions
}

/** Returns who would gain or lose access through a change of the team. */
export const teamPreviewQuery = (change: TeamChange) =>
  queryOptions({
    queryKey: ['team', change.id, 'preview', hashKey([change.expected]), change],
    queryFn: ({ signal }) => trpc.teams.preview.query(change, { signal }),
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })

/** Returns the repositories on which one person would gain or lose access. */
export const memberPreviewQuery = (change: TeamChange, username: string) =>
  queryOptions({
    queryKey: ['team', change.id, 'member-preview', change, username],
    queryFn: ({ signal }) => trpc.teams.previewMember.query({ ...change, username }, { signal }),
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })
