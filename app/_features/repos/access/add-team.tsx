'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { AddForm } from '@/app/_components/add-form'
import { Panel } from '@/app/_components/box'
import { Picker } from '@/app/_components/picker'
import { accessSummary } from '@/app/_features/teams/permissions/access-summary'
import { readFailure } from '@/app/_lib/failure'
import type { RepoPath } from '@/app/_lib/paths'
import { teamChoicesQuery } from '@/app/_lib/queries'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import type { Team } from '@/server/teams/schema'
import styles from './access-page.module.css'
import { useAccessRefresh } from './use-access-refresh'

interface AddTeamProps {
  path: RepoPath
  attached: readonly Team[]
}

export function AddTeam({ path, attached }: AddTeamProps): ReactNode {
  const refresh = useAccessRefresh(path)
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<Team>()
  const { data, error } = useQuery(teamChoicesQuery(path.owner))
  const adding = useMutation({
    mutationFn: ({ name }: Team) => trpc.teams.addToRepository.mutate({ ...path, team: name }),
    onSuccess: async (_, { name }) => {
      toast.success(`${name} has this repository now`)
      setText('')
      setChosen(undefined)
      field.current?.focus()
      await refresh()
    },
  })
  const taken = new Set(attached.map(team => team.id))
  const wanted = text.trim().toLowerCase()
  const found = (data ?? []).filter(team => team.name.toLowerCase().includes(wanted))
  const failure = adding.error ?? error

  return (
    <Panel title="Add a team">
      <AddForm
        label="Add team"
        ready={chosen !== undefined}
        pending={adding.isPending}
        onAdd={async () => chosen && (await adding.mutateAsync(chosen).catch(() => undefined))}
      >
        <Picker
          label="Team"
          placeholder="Find a team to add"
          caption="It gets this repository with the rights it has on all of its repositories."
          error={failure ? readFailure(failure).message : undefined}
          inputRef={field}
          text={text}
          onText={setText}
          options={found.slice(0, 20)}
          nameOf={team => team.name}
          obstacleOf={team => (taken.has(team.id) ? 'Has it already' : undefined)}
          chosen={chosen}
          onChoose={team => {
            adding.reset()
            setChosen(team)
          }}
          status={wanted && data && found.length === 0 ? `No team has “${text.trim()}” in its name.` : ''}
          show={team => (
            <span className={styles.option}>
              <strong>{team.name}</strong> <span className={styles.hint}>{accessSummary(team)}</span>
            </span>
          )}
        />
      </AddForm>
    </Panel>
  )
}
