'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Repository } from '@/server/repos/schema'
import { readFailure } from './failure'
import { repositorySearchQuery } from './queries'
import { useDebounced } from './use-debounced'

interface RepositorySearch {
  repositories: Repository[]
  /** The server has answered for the text as it stands. */
  isSettled: boolean
  problem: string | undefined
}

/** The repositories of one owner that a typed text can mean, asked for once the typing rests. */
export function useRepositorySearch(ownerId: number, typed: string): RepositorySearch {
  const text = typed.trim()
  const q = useDebounced(text, 200)
  const { data, error, isPlaceholderData } = useQuery({
    ...repositorySearchQuery(ownerId, q),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })
  const isSettled = text === q && !isPlaceholderData && data !== undefined
  const found = text === '' ? [] : (data?.items ?? [])
  return {
    repositories: found.filter(({ name }) => isSettled || name.toLowerCase().includes(text.toLowerCase())),
    isSettled,
    problem: error ? readFailure(error).message : undefined,
  }
}
