import { queryOptions } from '@tanstack/react-query'
import type { RepoPath } from '@/app/_lib/paths'
import { trpc } from '@/app/_lib/trpc'

/** The newest few tags whose names contain the text. */
export const tagSearchQuery = (path: RepoPath, q: string) =>
  queryOptions({
    queryKey: ['tag-search', path.owner, path.repo, q],
    queryFn: () => trpc.repos.tags.browse.query({ ...path, q, sort: 'newest', limit: 8 }),
    retry: false,
  })

/** The files of a release, by name. */
export const releaseAssetsQuery = (path: RepoPath, id: number) =>
  queryOptions({
    queryKey: ['release-assets', path.owner, path.repo, id],
    queryFn: () => trpc.releases.manage.listAssets.query({ ...path, id }),
  })

/** The viewer's interrupted uploads to a release. */
export const unfinishedUploadsQuery = (path: RepoPath, id: number) =>
  queryOptions({
    queryKey: ['unfinished-uploads', path.owner, path.repo, id],
    queryFn: () => trpc.releases.uploads.list.query({ ...path, id }),
  })
