'use client'
import {
  keepPreviousData,
  type QueryKey,
  type UndefinedInitialDataOptions,
  useQuery,
} from '@tanstack/react-query'
import { useState } from 'react'
import type { Page } from '@/server/kernel/pagination'

/** The rows of a list as they can be shown now. */
export interface ListRows<T> {
  /** The newest answer there is; nothing before the first. */
  found: Page<T> | undefined
  /** The answer is to another choice than the one in the address: the one to that is on its way, or could not be had. */
  isFormer: boolean
  /** Why there is no newer answer. */
  error: Error | null
  retry: () => void
}

/** Fetches the rows of a list, and keeps those it has while others are on their way or cannot be had. */
export function useListRows<T, Key extends QueryKey>(
  query: UndefinedInitialDataOptions<Page<T>, Error, Page<T>, Key>,
): ListRows<T> {
  const { data, isPlaceholderData, error, refetch } = useQuery({
    ...query,
    placeholderData: keepPreviousData,
    // Without a network it would wait for one, and say nothing of it.
    networkMode: 'always',
    refetchOnReconnect: true,
  })
  // After a failure the answer to the former choice is no longer given.
  const [kept, keep] = useState(data)
  if (data && data !== kept) keep(data)
  return {
    found: data ?? kept,
    isFormer: isPlaceholderData || data === undefined,
    error,
    retry: () => void refetch(),
  }
}
