'use client'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { releaseAssetsQuery } from '@/app/_features/releases/queries'
import type { RepoPath } from '@/app/_lib/paths'
import { useSelfUpdating } from '@/app/_lib/workarounds/hold-refresh'
import type { ShownAsset } from '@/server/releases/manage/schema'

interface ReleaseAssets {
  assets: ShownAsset[]
  /** Fetches the assets again after all earlier fetches have finished. */
  fetchAgain: () => Promise<unknown>
}

/** Returns the assets of the release that is being edited, starting with the ones rendered with the page. */
export function useReleaseAssets(
  path: RepoPath,
  releaseId: number | undefined,
  rendered: ShownAsset[],
): ReleaseAssets {
  const { data, error, refetch } = useQuery({
    ...releaseAssetsQuery(path, releaseId ?? 0),
    enabled: releaseId !== undefined,
    initialData: rendered,
    staleTime: Number.POSITIVE_INFINITY,
    // The assets rendered with the page are newer than a result from an earlier visit.
    gcTime: 0,
  })
  useSelfUpdating(error, releaseId !== undefined)
  // Fetches run one at a time, because a fetch that is replaced by another one resolves without the new list.
  const fetched = useRef<Promise<unknown>>(Promise.resolve())
  const fetchAgain = (): Promise<unknown> => {
    fetched.current = fetched.current.then(() => refetch())
    return fetched.current
  }
  return { assets: data, fetchAgain }
}
