'use client'
import { LockIcon, RepoIcon } from '@primer/octicons-react'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { AddForm } from '@/app/_components/add-form'
import { Picker } from '@/app/_components/picker'
import styles from '@/app/_features/teams/team.module.css'
import { readFailure } from '@/app/_lib/failure'
import { repositorySearchQuery } from '@/app/_lib/queries/repositories'
import { teamRepositoriesKey, teamRepositoriesQuery } from '@/app/_lib/queries/teams'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useDebounced } from '@/app/_lib/use-debounced'
import type { Repository } from '@/server/repos/schema'
import type { Team } from '@/server/teams/schema'

/** Offers the repositories of the organization that the viewer administers. */
export function AddRepository({ team, page }: { team: Team; page: number }): ReactNode {
  const queryClient = useQueryClient()
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<Repository>()
  const { data } = useQuery(teamRepositoriesQuery(team.id, page))
  const { id: ownerId, name: org } = team.organization
  const { repositories, isSettled, problem } = useRepositorySearch(ownerId, text)
  const options = repositories.filter(repository => repository.permissions.admin)
  const addition = useMutation({
    mutationFn: ({ name }: Repository) => trpc.teams.attach.mutate({ id: team.id, org, repo: name }),
    onSuccess: async (_, { name }) => {
      toast.success(`Added ${name} to ${team.name}`)
      setText('')
      setChosen(undefined)
      field.current?.focus()
      await queryClient.invalidateQueries({ queryKey: teamRepositoriesKey(team.id) })
    },
  })

  return (
    <div className={styles.picker}>
      <AddForm
        label="Add repository"
        ready={chosen !== undefined}
        pending={addition.isPending}
        onAdd={async () => chosen && (await addition.mutateAsync(chosen).catch(() => undefined))}
      >
        <Picker
          label="Add a repository"
          placeholder="Name of a repository"
          caption="Only repositories of the organization that you administer."
          error={addition.error ? readFailure(addition.error).message : problem}
          inputRef={field}
          text={text}
          onText={setText}
          options={options}
          nameOf={repository => repository.name}
          obstacleOf={({ id }) =>
            data?.items.some(attached => attached.id === id) ? 'In the team already' : undefined
          }
          chosen={chosen}
          onChoose={repository => {
            addition.reset()
            setChosen(repository)
          }}
          status={isSettled ? told(text.trim(), options.length) : ''}
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

function told(text: string, count: number): string {
  if (text === '') return ''
  if (count === 0) return `No repository that you administer has “${text}” in its name.`
  return count === 1 ? '1 repository found.' : `${count} repositories found.`
}

interface RepositorySearch {
  repositories: Repository[]
  /** The server has answered for the text as it stands. */
  isSettled: boolean
  problem: string | undefined
}

/** The repositories of one owner that a typed text can mean, asked for once the typing rests. */
function useRepositorySearch(ownerId: number, typed: string): RepositorySearch {
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
