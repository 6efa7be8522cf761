import { queryOptions } from '@tanstack/react-query'
import type { BrowseReposInput } from '@/server/repos/lists/schema'
import type { ListChoice } from '../list-choice'
import type { publicRepositoryList, repositoryList } from '../lists'
import type { RepoPath } from '../paths'
import { trpc } from '../trpc'

export const repositoriesKey = ['repositories'] as const

/** Which repositories are listed. */
export type RepositoryScope = BrowseReposInput['scope']

/** What an address asks of a list of repositories. */
export type RepositoryChoice = ListChoice<typeof repositoryList | typeof publicRepositoryList>

export const repositoriesQuery = (scope: RepositoryScope, choice: RepositoryChoice) =>
  queryOptions({
    queryKey: [...repositoriesKey, scope, choice],
    queryFn: () => trpc.repos.browse.query({ scope, ...choice }),
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

/** Teams whose name holds the text, a few at most, with what keeps each from being given the repository. */
export const teamCandidatesQuery = (path: RepoPath, q: string) =>
  queryOptions({
    queryKey: [...repositoryTeamsKey(path), 'candidates', q],
    queryFn: () => trpc.teams.listCandidatesOfRepository.query({ ...path, q }),
    meta: { isAsked: true },
  })

export const accessKey = ({ owner, repo }: RepoPath) => ['access', owner, repo] as const

/** What somebody may do in a repository, and why. */
export const accessQuery = (path: RepoPath, username: string) =>
  queryOptions({
    queryKey: [...accessKey(path), username],
    queryFn: () => trpc.repos.explainAccess.query({ ...path, username }),
  })

/** Whether the owner has a repository of this name. */
export const repositoryNameInUseQuery = (owner: string, name: string) =>
  queryOptions({
    queryKey: ['repository-name-taken', owner, name],
    queryFn: () => trpc.repos.isNameInUse.query({ owner, name }),
  })

/** Repositories of one owner whose name holds the text, a few at most. */
export const repositorySearchQuery = (ownerId: number, q: string) =>
  queryOptions({
    queryKey: ['repository-search', ownerId, q],
    queryFn: () => trpc.repos.search.query({ q, uid: ownerId, exclusive: true, sort: 'alpha', limit: 8 }),
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
    meta: { isAsked: true },
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })
