'use client'
import { PeopleIcon } from '@primer/octicons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { AddForm } from '@/app/_components/add-form'
import { ListBox, ListRow, Panel, RowFacts } from '@/app/_components/box'
import { EmptyState } from '@/app/_components/empty-state'
import { QuietLink } from '@/app/_components/links'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Picker } from '@/app/_components/picker'
import { Button } from '@/app/_components/primer'
import { accessSummary } from '@/app/_features/teams/permissions/summaries'
import { readFailure } from '@/app/_lib/failure'
import { type RepoPath, teamPath } from '@/app/_lib/paths'
import { repositoryTeamsQuery, teamChoicesQuery } from '@/app/_lib/queries'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useUndoable } from '@/app/_lib/use-undoable'
import type { Team } from '@/server/teams/schema'
import styles from './access-page.module.css'
import { useAccessRefresh } from './why-panel'

/** The teams of the organization that have this repository. */
export function TeamsSection({ path }: { path: RepoPath }): ReactNode {
  const { data } = useQuery(repositoryTeamsQuery(path))
  if (!data) return <ListSkeleton />
  const mayChange = data.may_change
  return (
    <div className={styles.section}>
      {mayChange ? <AddTeam path={path} attached={data.items} /> : null}
      {data.total === 0 ? (
        <EmptyState icon={PeopleIcon} title="No team has this repository" />
      ) : (
        <ListBox title="Teams" total={data.total}>
          {data.items.map(team => (
            <AttachedTeamRow key={team.id} path={path} team={team} mayChange={mayChange} />
          ))}
        </ListBox>
      )}
      {mayChange ? null : (
        <p className={styles.hint}>Only owners of {path.owner} say which teams have this repository.</p>
      )}
    </div>
  )
}

interface AttachedTeamRowProps {
  path: RepoPath
  team: Team
  mayChange: boolean
}

function AttachedTeamRow({ path, team, mayChange }: AttachedTeamRowProps): ReactNode {
  const { name, includes_all_repositories } = team
  const removal = useUndoable({
    act: () => trpc.teams.removeFromRepository.mutate({ ...path, team: name }),
    undo: () => trpc.teams.addToRepository.mutate({ ...path, team: name }),
    done: `Took this repository from ${name}`,
    refresh: useAccessRefresh(path),
  })

  return (
    <ListRow
      visual={<PeopleIcon />}
      action={
        mayChange && !includes_all_repositories ? (
          <Button
            variant="danger"
            aria-label={`Remove the team ${name}`}
            loading={removal.isPending}
            onClick={removal.onClick}
          >
            Remove
          </Button>
        ) : null
      }
    >
      <h3 className={styles.team}>
        <QuietLink href={teamPath(path.owner, name, 'permissions')}>{name}</QuietLink>
      </h3>
      <RowFacts>
        <span>{accessSummary(team)}</span>
        {includes_all_repositories ? <span>Has all repositories of {path.owner}</span> : null}
      </RowFacts>
    </ListRow>
  )
}

interface AddTeamProps {
  path: RepoPath
  attached: readonly Team[]
}

function AddTeam({ path, attached }: AddTeamProps): ReactNode {
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
