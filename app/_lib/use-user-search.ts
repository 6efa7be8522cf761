'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Candidate } from '@/server/users/schema'
import { readFailure } from './failure'
import { candidatesQuery, type PeopleToFind } from './queries'
import { useDebounced } from './use-debounced'

/** With the id of the person, as lists want it. */
export type FoundPerson = Candidate & { id: number }

interface UserSearch {
  people: FoundPerson[]
  /** The server has answered for the text as it stands. */
  isSettled: boolean
  problem: string | undefined
}

/** The people a typed text can mean, asked for once the typing rests. */
export function useUserSearch(find: PeopleToFind, typed: string): UserSearch {
  const text = typed.trim()
  const q = useDebounced(text, 200)
  const { data, error, isPlaceholderData } = useQuery({
    ...candidatesQuery(find, q),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })
  const isSettled = text === q && !isPlaceholderData && data !== undefined
  // Until the answer is there, the last one serves as far as it fits what is typed by now.
  const fits = ({ user }: Candidate): boolean => isSettled || holds(user, text)
  return {
    people: text === '' ? [] : (data ?? []).filter(fits).map(found => ({ ...found, id: found.user.id })),
    isSettled,
    problem: error ? readFailure(error).message : undefined,
  }
}

const holds = ({ login, full_name }: Candidate['user'], text: string): boolean =>
  `${login}\n${full_name}`.toLowerCase().includes(text.toLowerCase())
