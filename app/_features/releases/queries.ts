import { queryOptions } from '@tanstack/react-query'
import type { RepoPath } from '@/app/_lib/paths'
import { trpc } from '@/app/_lib/trpc'

/** Query for the newest tags whose names contain the text `q`, at most eight. */
export const tagSearchQuery = (path: RepoPath, q: string) =>
  queryOptions({
    queryKey: ['tag-search', path.owner, path.repo, q],
    queryFn: () => trpc.repos.tags.browse.query({ ...path, q, sort: 'newest', limit: 8 }),
    retry: false,
  })

/** Query for a release's files, sorted by name. */
export const releaseAssetsQuery = (path: RepoPath, id: number) =>
  queryOptions({
    queryKey: ['release-assets', path.owner, path.repo, id],
    queryFn: () => trpc.releases.manage.listAssets.query({ ...path, id }),
  })

/** Query for the viewer's unfinished uploads to a release. */
export const unfinishedUploadsQuery = (path: RepoPath, id: number) =>
  queryOptions({
    queryKey: ['unfinished-uploads', path.owner, path.repo, id],
    queryFn: () => trpc.releases.uploads.list.query({ ...path, id }),
  })
