'use client'
import { LockIcon, RepoIcon } from '@primer/octicons-react'
import { type ReactNode, useState } from 'react'
import { Picker } from '@/app/_components/picker'
import { useRepositorySearch } from '@/app/_lib/use-repository-search'
import type { Repository } from '@/server/repos/schema'

interface RepositoryPickerProps {
  label: string
  ownerId: number
  onPick: (repository: Repository) => void
  /** Ids that are not offered. */
  exclude?: readonly number[] | undefined
  caption?: ReactNode
  error?: string | undefined
}

/** Finds a repository that the viewer administers while its name is typed. */
export function RepositoryPicker(props: RepositoryPickerProps): ReactNode {
  const { label, ownerId, onPick, exclude = [], caption, error } = props
  const [text, setText] = useState('')
  const { repositories, isSettled, problem } = useRepositorySearch(ownerId, text, exclude)
  const options = repositories.filter(repository => repository.permissions.admin)

  return (
    <Picker
      label={label}
      placeholder="Name of a repository"
      caption={caption}
      error={error ?? problem}
      text={text}
      onText={setText}
      options={options}
      status={isSettled ? told(text.trim(), options.length) : ''}
      show={({ name, private: isPrivate }) => (
        <>
          {isPrivate ? <LockIcon /> : <RepoIcon />}
          <strong>{name}</strong>
        </>
      )}
      onPick={repository => {
        setText('')
        onPick(repository)
      }}
    />
  )
}

function told(text: string, count: number): string {
  if (text === '') return ''
  if (count === 0) return `No other repository has “${text}” in its name.`
  return count === 1 ? '1 repository found.' : `${count} repositories found.`
}
