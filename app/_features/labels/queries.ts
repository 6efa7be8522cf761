import { queryOptions } from '@tanstack/react-query'
import { trpc } from '@/app/_lib/trpc'
import type { LabelHolderName } from '@/server/labels/schema'

/** Prefix of the query keys of the labels of a repository or an organization. */
export const labelsKey = (holder: LabelHolderName) => ['labels', holder] as const

export const labelsQuery = (holder: LabelHolderName, page: number) =>
  queryOptions({
    queryKey: [...labelsKey(holder), page],
    queryFn: () => trpc.labels.page.show.query({ holder, page }),
  })
