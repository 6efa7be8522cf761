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
  /** The login name of who is chosen. */
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
  owner: 'Owns it already',
  blocked: 'Blocked',
  self: 'That is you',
}

/** Finds a person while their name or address is typed. Empty it by giving it another `key`. */
export function UserPicker(props: UserPickerProps): ReactNode {
  const { label, find, selected, onSelect, placeholder = 'Name or e-mail address', caption, error } = props
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
  if (count === 0) return `Nobody has “${text}” in their name, or as an address they show.`
  return count === 1 ? '1 person found.' : `${count} people found.`
}

/** With the id of the person, as lists want it. */
type FoundPerson = Candidate & { id: number }

interface UserSearch {
  people: FoundPerson[]
  /** The server has answered for the text as it stands. */
  isSettled: boolean
  problem: string | undefined
}

/** The people a typed text can mean, asked for once the typing rests. */
function useUserSearch(find: PeopleToFind, typed: string): UserSearch {
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

interface PersonToAdd {
  /** The login name of who is chosen. */
  selected: string | undefined
  /** For the picker: a new key empties it. */
  picker: {
    key: number
    inputRef: RefObject<HTMLInputElement | null>
    selected: string | undefined
    onSelect: (login: string | undefined) => void
  }
  /** Empties the field for the next person, and goes there. */
  next: () => void
}

/** Who is chosen in a picker, until they are added. */
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
