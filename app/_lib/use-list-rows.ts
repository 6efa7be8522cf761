'use client'
import {
  keepPreviousData,
  type QueryKey,
  type UndefinedInitialDataOptions,
  useQuery,
} from '@tanstack/react-query'
import { useState } from 'react'
import type { Page } from '@/server/kernel/pagination'

/** The rows of a list that can be shown now. */
export interface ListRows<T> {
  /** The latest response. Undefined before the first one. */
  found: Page<T> | undefined
  /**
   * Whether the rows belong to an earlier state of the list, because those of the current one are being
   * fetched or failed to load.
   */
  isFormer: boolean
  /** Error of the last fetch. */
  error: Error | null
  retry: () => void
}

/** Fetches the rows of a list, and keeps the previous ones while others are being fetched or fail to load. */
export function useListRows<T, Key extends QueryKey>(
  query: UndefinedInitialDataOptions<Page<T>, Error, Page<T>, Key>,
): ListRows<T> {
  const { data, isPlaceholderData, error, refetch } = useQuery({
    ...query,
    placeholderData: keepPreviousData,
    // By default, the query would wait silently for a network.
    networkMode: 'always',
    refetchOnReconnect: true,
  })
  // After a failure, the query no longer returns the previous rows.
  const [kept, keep] = useState(data)
  if (data && data !== kept) keep(data)
  return {
    found: data ?? kept,
    isFormer: isPlaceholderData || data === undefined,
    error,
    retry: () => void refetch(),
  }
}
