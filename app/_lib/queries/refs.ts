import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ListChoice } from '../list-choice'
import type { branchList, tagList } from '../lists'
import type { RepoPath } from '../paths'
import { trpc } from '../trpc'

export const branchesKey = ({ owner, repo }: RepoPath) => ['branches', owner, repo] as const

export const branchesQuery = (path: RepoPath, choice: ListChoice<typeof branchList>) =>
  queryOptions({
    queryKey: [...branchesKey(path), choice],
    queryFn: () => trpc.repos.branches.browse.query({ ...path, ...choice }),
  })

/** Names of branches to select from. */
export const branchNamesQuery = (path: RepoPath) =>
  queryOptions({
    queryKey: [...branchesKey(path), 'names'],
    queryFn: () => trpc.repos.branches.listNames.query(path),
  })

export const tagsKey = ({ owner, repo }: RepoPath) => ['tags', owner, repo] as const

export const tagsQuery = (path: RepoPath, choice: ListChoice<typeof tagList>) =>
  queryOptions({
    queryKey: [...tagsKey(path), choice],
    queryFn: () => trpc.repos.tags.browse.query({ ...path, ...choice }),
  })

/** The states of the checks of commits that a list shows. */
export const statesQuery = (path: RepoPath, shas: readonly string[]) =>
  queryOptions({
    queryKey: ['states', path.owner, path.repo, shas],
    queryFn: () => (shas.length > 0 ? trpc.statuses.listStates.query({ ...path, shas: [...shas] }) : {}),
    placeholderData: keepPreviousData,
  })

/** By how many commits branches are ahead of the default branch and behind it. */
export const divergenceQuery = (path: RepoPath, branches: readonly { name: string; sha: string }[]) =>
  queryOptions({
    queryKey: ['divergence', path.owner, path.repo, branches.map(({ name, sha }) => `${sha} ${name}`)],
    queryFn: () =>
      trpc.code.pages.showDivergence.query({
        ...path,
        branches: branches.map(({ name }) => name),
        waits: true,
      }),
    enabled: branches.length > 0,
  })
