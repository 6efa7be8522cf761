'use client'
import { type ReactNode, useState } from 'react'
import { useUserSearch } from '@/app/_lib/use-user-search'
import type { User } from '@/server/users/schema'
import { Picker } from './picker'
import { UserAvatar } from './user-avatar'
import styles from './user-picker.module.css'

interface UserPickerProps {
  label: string
  onPick(user: User): void
  /** Login names that are not offered. */
  exclude?: readonly string[]
  placeholder?: string
  caption?: ReactNode
  error?: string | undefined
}

/** Finds a person while their name is typed. */
export function UserPicker(props: UserPickerProps): ReactNode {
  const { label, onPick, exclude = [], placeholder = 'Name of a person', caption, error } = props
  const [text, setText] = useState('')
  const { people, isSettled, problem } = useUserSearch(text, exclude)

  return (
    <Picker
      label={label}
      placeholder={placeholder}
      caption={caption}
      error={error ?? problem}
      text={text}
      onText={setText}
      options={people}
      status={isSettled ? told(text.trim(), people.length) : ''}
      show={user => <Person user={user} />}
      onPick={user => {
        setText('')
        onPick(user)
      }}
    />
  )
}

function Person({ user }: { user: User }): ReactNode {
  return (
    <>
      <UserAvatar id={user.id} size={20} />
      <span className={styles.names}>
        <strong>{user.login}</strong>
        {user.full_name ? <span className={styles.fullName}>{user.full_name}</span> : null}
      </span>
    </>
  )
}

function told(text: string, count: number): string {
  if (text === '') return ''
  if (count === 0) return `Nobody else here has “${text}” in their name.`
  return count === 1 ? '1 person found.' : `${count} people found.`
}
