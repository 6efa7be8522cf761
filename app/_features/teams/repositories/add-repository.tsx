'use client'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { AddForm } from '@/app/_components/add-form'
import { LockIcon, RepoIcon } from '@/app/_components/icons'
import { Picker } from '@/app/_components/picker'
import styles from '@/app/_features/teams/team.module.css'
import { readFailure } from '@/app/_lib/failure'
import { repositorySearchQuery } from '@/app/_lib/queries/repositories'
import { teamRepositoriesKey, teamRepositoriesQuery } from '@/app/_lib/queries/teams'
import { trpc } from '@/app/_lib/trpc'
import { useDebounced } from '@/app/_lib/use-debounced'
import { offerUndo } from '@/app/_lib/use-undoable'
import type { Repository } from '@/server/repos/schema'
import type { Team } from '@/server/teams/schema'

/**
 * Field to add one of the organization's repositories to the team. Offers those that the viewer administers.
 */
export function AddRepository({ team }: { team: Team }): ReactNode {
  const queryClient = useQueryClient()
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [selected, setSelected] = useState<Repository>()
  const { repositories, attached, isSettled, problem } = useRepositorySearch(team, text)
  const options = repositories.filter(repository => repository.permissions.admin)
  const refresh = () => queryClient.invalidateQueries({ queryKey: teamRepositoriesKey(team.id) })
  const addition = useMutation({
    mutationFn: ({ id }: Repository) => trpc.teams.attachAll.mutate({ id: team.id, repositories: [id] }),
    onSuccess: async (_, { id, name }) => {
      offerUndo({
        done: `Added ${name} to ${team.name}`,
        undo: () => trpc.teams.detachAll.mutate({ id: team.id, repositories: [id] }),
        refresh,
      })
      setText('')
      setSelected(undefined)
      field.current?.focus()
      await refresh()
    },
  })

  return (
    <div className={styles.picker}>
      <AddForm
        label="Add repository"
        ready={selected !== undefined}
        pending={addition.isPending}
        onAdd={async () => selected && (await addition.mutateAsync(selected).catch(() => undefined))}
      >
        <Picker
          label="Add a repository"
          placeholder="Repository name"
          caption="You can add repositories in this organization that you administer."
          error={addition.error ? readFailure(addition.error).message : problem}
          inputRef={field}
          text={text}
          onText={setText}
          options={options}
          nameOf={repository => repository.name}
          obstacleOf={({ id }) => (attached.has(id) ? 'Already added' : undefined)}
          selected={selected}
          onSelect={repository => {
            addition.reset()
            setSelected(repository)
          }}
          status={isSettled ? statusOf(text.trim(), options.length) : ''}
          show={({ name, private: isPrivate }) => (
            <>
              {isPrivate ? <LockIcon /> : <RepoIcon />}
              <strong>{name}</strong>
            </>
          )}
        />
      </AddForm>
    </div>
  )
}

function statusOf(text: string, count: number): string {
  if (text === '') return ''
  if (count === 0) return `No repositories that you administer match “${text}”.`
  return count === 1 ? '1 repository found.' : `${count} repositories found.`
}

interface RepositorySearch {
  repositories: Repository[]
  /** IDs of the found repositories that the team already has. */
  attached: ReadonlySet<number>
  /** Whether the server has answered for the current text. */
  isSettled: boolean
  problem: string | undefined
}

/** Searches the organization's repositories for a typed text, once typing pauses. */
function useRepositorySearch(team: Team, typed: string): RepositorySearch {
  const text = typed.trim()
  const q = useDebounced(text, 200)
  const { data, error, isPlaceholderData } = useQuery({
    ...repositorySearchQuery(team.organization.id, q),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })
  const attached = useQuery({
    ...teamRepositoriesQuery(team.id, { q, sort: 'name', page: 1, limit: 100 }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })
  const isSettled = text === q && !isPlaceholderData && data !== undefined
  const found = text === '' ? [] : (data?.items ?? [])
  return {
    repositories: found.filter(({ name }) => isSettled || name.toLowerCase().includes(text.toLowerCase())),
    attached: new Set(attached.data?.items.map(({ id }) => id)),
    isSettled,
    problem: error ? readFailure(error).message : undefined,
  }
}
