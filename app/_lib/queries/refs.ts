import { queryOptions } from '@tanstack/react-query'
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

export const tagsKey = ({ owner, repo }: RepoPath) => ['tags', owner, repo] as const

export const tagsQuery = (path: RepoPath, choice: ListChoice<typeof tagList>) =>
  queryOptions({
    queryKey: [...tagsKey(path), choice],
    queryFn: () => trpc.repos.tags.browse.query({ ...path, ...choice }),
  })
