'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, type Ref, type RefObject, useEffect, useRef, useState } from 'react'
import { readFailure } from '@/app/_lib/failure'
import { candidatesQuery, type PeopleToFind } from '@/app/_lib/queries/users'
import { useDebounced } from '@/app/_lib/use-debounced'
import type { Candidate } from '@/server/users/schema'
import { Picker } from './picker'
import styles from './picker.module.css'
import { UserAvatar } from './user-avatar'

interface UserPickerProps {
  label: string
  find: PeopleToFind
  /** Username of the selected person. */
  selected: string | undefined
  onSelect: (login: string | undefined) => void
  placeholder?: string
  caption?: ReactNode
  error?: string | undefined
  inputRef?: Ref<HTMLInputElement>
}

const obstacleLabels: Record<NonNullable<Candidate['obstacle']>, string> = {
  member: 'Already a member',
  collaborator: 'Already a collaborator',
  owner: 'Owner',
  blocked: 'Blocked',
  self: 'You',
}

/** Finds people by name or email while the viewer types. A new `key` clears the field. */
export function UserPicker(props: UserPickerProps): ReactNode {
  const { label, find, selected, onSelect, placeholder = 'Name or email address', caption, error } = props
  const [text, setText] = useState('')
  const [person, setPerson] = useState<FoundPerson>()
  const { people, isSettled, problem } = useUserSearch(find, text)

  return (
    <Picker
      label={label}
      placeholder={placeholder}
      caption={caption}
      error={error ?? problem}
      inputRef={props.inputRef}
      text={text}
      onText={setText}
      options={people}
      nameOf={({ user }) => user.login}
      obstacleOf={({ obstacle }) => (obstacle ? obstacleLabels[obstacle] : undefined)}
      selected={person?.user.login === selected ? person : undefined}
      onSelect={found => {
        setPerson(found)
        onSelect(found?.user.login)
      }}
      status={isSettled ? statusOf(text.trim(), people.length) : ''}
      show={({ user }) => (
        <>
          <UserAvatar id={user.id} size={20} />
          <span className={styles.personNames}>
            <strong>{user.login}</strong>
            {user.full_name ? (
              <span className={styles.fullName}>
                <bdi>{user.full_name}</bdi>
              </span>
            ) : null}
          </span>
        </>
      )}
    />
  )
}

function statusOf(text: string, count: number): string {
  if (text === '') return ''
  if (count === 0) return `No people match “${text}”.`
  return count === 1 ? '1 person found.' : `${count} people found.`
}

/** A candidate for selection. The picker's list requires an ID. */
type FoundPerson = Candidate & { id: number }

interface UserSearch {
  people: FoundPerson[]
  /** Whether the server has answered for the current text. */
  isSettled: boolean
  problem: string | undefined
}

/** Searches people by a typed text, once typing pauses. */
function useUserSearch(find: PeopleToFind, typed: string): UserSearch {
  const text = typed.trim()
  const q = useDebounced(text, 200)
  const { data, error, isPlaceholderData } = useQuery({
    ...candidatesQuery(find, q),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })
  const isSettled = text === q && !isPlaceholderData && data !== undefined
  // Until the response arrives, the previous results are shown if they match the current text.
  const fits = ({ user }: Candidate): boolean => isSettled || holds(user, text)
  return {
    people: text === '' ? [] : (data ?? []).filter(fits).map(found => ({ ...found, id: found.user.id })),
    isSettled,
    problem: error ? readFailure(error).message : undefined,
  }
}

const holds = ({ login, full_name }: Candidate['user'], text: string): boolean =>
  `${login}\n${full_name}`.toLowerCase().includes(text.toLowerCase())

interface PersonToAdd {
  /** Username of the selected person. */
  selected: string | undefined
  /** Props for the picker. A new key clears it. */
  picker: {
    key: number
    inputRef: RefObject<HTMLInputElement | null>
    selected: string | undefined
    onSelect: (login: string | undefined) => void
  }
  /** Clears the field for the next person and focuses it. */
  next: () => void
}

/** State of a picker for people to add. Stores the selected person until they have been added. */
export function usePersonToAdd(onSelect: () => void): PersonToAdd {
  const inputRef = useRef<HTMLInputElement>(null)
  const [selected, setSelected] = useState<string>()
  const [added, setAdded] = useState(0)
  useEffect(() => {
    if (added > 0) inputRef.current?.focus()
  }, [added])
  return {
    selected,
    picker: {
      key: added,
      inputRef,
      selected,
      onSelect: login => {
        onSelect()
        setSelected(login)
      },
    },
    next: () => {
      setSelected(undefined)
      setAdded(count => count + 1)
    },
  }
}
