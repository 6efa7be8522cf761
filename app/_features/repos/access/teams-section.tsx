'use client'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { AddForm } from '@/app/_components/add-form'
import { ListBox, ListRow, Panel, RowFacts } from '@/app/_components/box'
import { EmptyState } from '@/app/_components/empty-state'
import { PeopleIcon } from '@/app/_components/icons'
import { QuietLink } from '@/app/_components/links'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Picker } from '@/app/_components/picker'
import { Button } from '@/app/_components/primer'
import { accessSummary } from '@/app/_features/teams/permissions/summaries'
import { readFailure } from '@/app/_lib/failure'
import { type RepoPath, teamPath } from '@/app/_lib/paths'
import { repositoryTeamsQuery, teamCandidatesQuery } from '@/app/_lib/queries/repositories'
import { trpc } from '@/app/_lib/trpc'
import { useDebounced } from '@/app/_lib/use-debounced'
import { offerUndo, useUndoable } from '@/app/_lib/use-undoable'
import type { Team, TeamCandidate } from '@/server/teams/schema'
import styles from './access-page.module.css'
import { useAccessRefresh } from './explanation-panel'

/**
 * Lists the organization's teams that have access to a repository. Viewers with permission can add and remove
 * teams.
 */
export function TeamsSection({ path }: { path: RepoPath }): ReactNode {
  const { data } = useQuery(repositoryTeamsQuery(path))
  if (!data) return <ListSkeleton />
  const mayChange = data.may_change
  return (
    <div className={styles.section}>
      {mayChange ? <AddTeam path={path} /> : null}
      {data.total === 0 ? (
        <EmptyState icon={PeopleIcon} title="No teams have access to this repository" />
      ) : (
        <ListBox title="Teams" total={data.total}>
          {data.items.map(team => (
            <AttachedTeamRow key={team.id} path={path} team={team} mayChange={mayChange} />
          ))}
        </ListBox>
      )}
      {mayChange ? null : (
        <p className={styles.hint}>
          Only owners of {path.owner} can change which teams have access to this repository.
        </p>
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
    done: `Removed ${name} from this repository`,
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
        {includes_all_repositories ? <span>Has access to all repositories of {path.owner}</span> : null}
      </RowFacts>
    </ListRow>
  )
}

function AddTeam({ path }: { path: RepoPath }): ReactNode {
  const refresh = useAccessRefresh(path)
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [selected, setSelected] = useState<FoundTeam>()
  const { teams, isSettled, problem } = useTeamSearch(path, text)
  const adding = useMutation({
    mutationFn: ({ team }: FoundTeam) => trpc.teams.addToRepository.mutate({ ...path, team: team.name }),
    onSuccess: async (_, { team: { name } }) => {
      offerUndo({
        done: `Added ${name} to this repository`,
        undo: () => trpc.teams.removeFromRepository.mutate({ ...path, team: name }),
        refresh,
      })
      setText('')
      setSelected(undefined)
      field.current?.focus()
      await refresh()
    },
  })

  return (
    <Panel title="Add a team">
      <AddForm
        label="Add team"
        ready={selected !== undefined}
        pending={adding.isPending}
        onAdd={async () => selected && (await adding.mutateAsync(selected).catch(() => undefined))}
      >
        <Picker
          label="Team"
          placeholder="Find a team to add"
          caption="The team will have its usual permissions in this repository."
          error={adding.error ? readFailure(adding.error).message : problem}
          inputRef={field}
          text={text}
          onText={setText}
          options={teams}
          nameOf={({ team }) => team.name}
          obstacleOf={({ obstacle }) => (obstacle ? 'Already has access' : undefined)}
          selected={selected}
          onSelect={found => {
            adding.reset()
            setSelected(found)
          }}
          status={isSettled && text.trim() && teams.length === 0 ? `No teams match “${text.trim()}”.` : ''}
          show={({ team }) => (
            <span className={styles.option}>
              <strong>{team.name}</strong> <span className={styles.hint}>{accessSummary(team)}</span>
            </span>
          )}
        />
      </AddForm>
    </Panel>
  )
}

/** A candidate for selection. The picker's list requires an ID. */
type FoundTeam = TeamCandidate & { id: number }

interface TeamSearch {
  teams: FoundTeam[]
  /** Whether the server has answered for the current text. */
  isSettled: boolean
  problem: string | undefined
}

/** Searches teams by a typed text, once typing pauses. Without text, it returns the first teams. */
function useTeamSearch(path: RepoPath, typed: string): TeamSearch {
  const text = typed.trim()
  const q = useDebounced(text, 200)
  const { data, error, isPlaceholderData } = useQuery({
    ...teamCandidatesQuery(path, q),
    placeholderData: keepPreviousData,
  })
  const isSettled = text === q && !isPlaceholderData && data !== undefined
  // Until the response arrives, the previous results are shown if they match the current text.
  const fits = ({ team }: TeamCandidate): boolean =>
    isSettled || team.name.toLowerCase().includes(text.toLowerCase())
  return {
    teams: (data ?? []).filter(fits).map(found => ({ ...found, id: found.team.id })),
    isSettled,
    problem: error ? readFailure(error).message : undefined,
  }
}
