'use client'
import { PeopleIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { ListRow, RowFacts } from '@/app/_components/box'
import { QuietLink } from '@/app/_components/links'
import { Button } from '@/app/_components/primer'
import { accessSummary } from '@/app/_features/teams/permissions/access-summary'
import type { RepoPath } from '@/app/_lib/paths'
import { teamPath } from '@/app/_lib/paths'
import { trpc } from '@/app/_lib/trpc'
import { useUndoable } from '@/app/_lib/use-undoable'
import type { Team } from '@/server/teams/schema'
import styles from './access-page.module.css'
import { useAccessRefresh } from './use-access-refresh'

interface AttachedTeamRowProps {
  path: RepoPath
  team: Team
  mayChange: boolean
}

export function AttachedTeamRow({ path, team, mayChange }: AttachedTeamRowProps): ReactNode {
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
