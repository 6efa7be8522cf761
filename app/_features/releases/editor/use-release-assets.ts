'use client'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { releaseAssetsQuery } from '@/app/_features/releases/queries'
import type { RepoPath } from '@/app/_lib/paths'
import { useSelfUpdating } from '@/app/_lib/workarounds/hold-refresh'
import type { ShownAsset } from '@/server/releases/manage/schema'

interface ReleaseAssets {
  assets: ShownAsset[]
  /** Fetches the assets again, once every fetch before it has finished. */
  fetchAgain: () => Promise<unknown>
}

/** The assets of a release that is being edited; those the page was rendered with until the release exists. */
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
    // The page was rendered with newer assets than an earlier visit.
    gcTime: 0,
  })
  useSelfUpdating(error, releaseId !== undefined)
  // One after another: the promise of a fetch that another one replaces resolves without its list.
  const fetched = useRef<Promise<unknown>>(Promise.resolve())
  const fetchAgain = (): Promise<unknown> => {
    fetched.current = fetched.current.then(() => refetch())
    return fetched.current
  }
  return { assets: data, fetchAgain }
}
