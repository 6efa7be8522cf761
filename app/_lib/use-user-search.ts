'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { User } from '@/server/users/schema'
import { readFailure } from './failure'
import { userSearchQuery } from './queries'
import { useDebounced } from './use-debounced'

interface UserSearch {
  people: User[]
  /** The server has answered for the text as it stands. */
  isSettled: boolean
  problem: string | undefined
}

/** The people a typed text can mean, asked for once the typing rests. */
export function useUserSearch(typed: string, exclude: readonly string[]): UserSearch {
  const text = typed.trim()
  const q = useDebounced(text, 200)
  const { data, error, isPlaceholderData } = useQuery({
    ...userSearchQuery(q),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })
  const isSettled = text === q && !isPlaceholderData && data !== undefined
  const isFree = (user: User): boolean => !exclude.includes(user.login)
  // Until the answer is there, the last one serves as far as it fits what is typed by now.
  const fits = (user: User): boolean => isSettled || holds(user, text)
  return {
    people: text === '' ? [] : (data?.items ?? []).filter(user => isFree(user) && fits(user)),
    isSettled,
    problem: error ? readFailure(error).message : undefined,
  }
}

const holds = ({ login, full_name }: User, text: string): boolean =>
  `${login}\n${full_name}`.toLowerCase().includes(text.toLowerCase())
