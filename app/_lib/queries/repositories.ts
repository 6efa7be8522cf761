import { queryOptions } from '@tanstack/react-query'
import type { BrowseReposInput } from '@/server/repos/lists/schema'
import type { ListChoice } from '../list-choice'
import type { publicRepositoryList, repositoryList } from '../lists'
import type { RepoPath } from '../paths'
import { trpc } from '../trpc'

export const repositoriesKey = ['repositories'] as const

/** Scope of a list of repositories. */
export type RepositoryScope = BrowseReposInput['scope']

/** State of a list of repositories as its URL contains it. */
export type RepositoryChoice = ListChoice<typeof repositoryList | typeof publicRepositoryList>

export const repositoriesQuery = (scope: RepositoryScope, choice: RepositoryChoice, topic = '') =>
  queryOptions({
    queryKey: [...repositoriesKey, scope, choice, topic],
    queryFn: () => trpc.repos.browse.query({ scope, ...choice, topic }),
  })

export const collaboratorsKey = ({ owner, repo }: RepoPath) => ['collaborators', owner, repo] as const

export const collaboratorsQuery = (path: RepoPath, page: number) =>
  queryOptions({
    queryKey: [...collaboratorsKey(path), page],
    queryFn: () => trpc.repos.collaborators.listWithModes.query({ ...path, page }),
  })

export const repositoryTeamsKey = ({ owner, repo }: RepoPath) => ['repository-teams', owner, repo] as const

export const repositoryTeamsQuery = (path: RepoPath) =>
  queryOptions({
    queryKey: repositoryTeamsKey(path),
    queryFn: () => trpc.teams.browseOfRepository.query(path),
  })

/** Returns a few teams whose name contains the text, each with the reason why it can't be added. */
export const teamCandidatesQuery = (path: RepoPath, q: string) =>
  queryOptions({
    queryKey: [...repositoryTeamsKey(path), 'candidates', q],
    queryFn: () => trpc.teams.listCandidatesOfRepository.query({ ...path, q }),
    meta: { isAsked: true },
  })

export const accessKey = ({ owner, repo }: RepoPath) => ['access', owner, repo] as const

/** Returns someone's access to a repository and the reasons for it. */
export const accessQuery = (path: RepoPath, username: string) =>
  queryOptions({
    queryKey: [...accessKey(path), username],
    queryFn: () => trpc.repos.explainAccess.query({ ...path, username }),
  })

/** Whether the owner already has a repository of this name. */
export const repositoryNameInUseQuery = (owner: string, name: string) =>
  queryOptions({
    queryKey: ['repository-name-taken', owner, name],
    queryFn: () => trpc.repos.isNameInUse.query({ owner, name }),
  })

/** Returns a few repositories of an owner whose name contains the text. */
export const repositorySearchQuery = (ownerId: number, q: string) =>
  queryOptions({
    queryKey: ['repository-search', ownerId, q],
    queryFn: () => trpc.repos.search.query({ q, uid: ownerId, exclusive: true, sort: 'alpha', limit: 8 }),
  })

/** Returns how many of an account's repositories are not private now, and the names of the first ones. */
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
    meta: { isAsked: true },
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })
