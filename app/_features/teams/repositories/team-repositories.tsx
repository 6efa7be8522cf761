'use client'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Banner } from '@/app/_components/banner'
import { ListRow } from '@/app/_components/box'
import { BulkUndoButton } from '@/app/_components/bulk-undo-button'
import { EmptyState } from '@/app/_components/empty-state'
import { LockIcon, RepoIcon } from '@/app/_components/icons'
import { TextLink } from '@/app/_components/links'
import { Button } from '@/app/_components/primer'
import { RepositoryLabels, RepositoryLink } from '@/app/_components/repository-name'
import { WorkList } from '@/app/_components/work-list'
import styles from '@/app/_features/orgs/orgs.module.css'
import teamStyles from '@/app/_features/teams/team.module.css'
import { teamRepositoryList } from '@/app/_lib/lists'
import { teamPath } from '@/app/_lib/paths'
import { teamRepositoriesKey, teamRepositoriesQuery } from '@/app/_lib/queries/teams'
import { trpc } from '@/app/_lib/trpc'
import { useListChoice } from '@/app/_lib/use-list-choice'
import { useListRows } from '@/app/_lib/use-list-rows'
import { useUndoable } from '@/app/_lib/use-undoable'
import type { Repository } from '@/server/repos/schema'
import type { Team } from '@/server/teams/schema'

interface TeamRepositoriesProps {
  team: Team
  mayAdd: boolean
}

export function TeamRepositories({ team, mayAdd }: TeamRepositoriesProps): ReactNode {
  const list = useListChoice(teamRepositoryList)
  const rows = useListRows(teamRepositoriesQuery(team.id, list.choice))
  const mayDetach = (repository: Repository): boolean =>
    repository.permissions.admin && !team.includes_all_repositories
  return (
    <WorkList<Repository>
      title="Repositories"
      noun="repository"
      icon={RepoIcon}
      list={list}
      rows={rows}
      idOf={repository => repository.id}
      nameOf={repository => repository.name}
      empty={
        <EmptyState icon={RepoIcon} title="No repositories yet">
          {mayAdd ? <p>Add one above. Members will get access to it immediately.</p> : null}
        </EmptyState>
      }
      row={(repository, check) => (
        <TeamRepositoryRow
          key={repository.id}
          repository={repository}
          check={check}
          action={mayDetach(repository) ? <DetachButton team={team} repository={repository} /> : null}
        />
      )}
      bulk={{
        takes: mayDetach,
        actions: (repositories, done) => (
          <DetachSeveralButton team={team} repositories={repositories} onDone={done} />
        ),
      }}
    />
  )
}

interface TeamRepositoryRowProps {
  repository: Repository
  check: ReactNode
  action: ReactNode
}

function TeamRepositoryRow({ repository, check, action }: TeamRepositoryRowProps): ReactNode {
  return (
    <ListRow check={check} visual={repository.private ? <LockIcon /> : <RepoIcon />} action={action}>
      <div className={styles.title}>
        <strong>
          <RepositoryLink repository={repository} />
        </strong>
        <RepositoryLabels repository={repository} />
      </div>
      {repository.description ? (
        <p className={styles.muted}>
          <bdi>{repository.description}</bdi>
        </p>
      ) : null}
    </ListRow>
  )
}

/** Row button that removes the repository from the team. */
function DetachButton({ team, repository: { id, name } }: { team: Team; repository: Repository }): ReactNode {
  const refresh = useRefresh(team)
  const input = { id: team.id, repositories: [id] }
  const removal = useUndoable({
    act: () => trpc.teams.detachAll.mutate(input),
    undo: () => trpc.teams.attachAll.mutate(input),
    done: `Removed ${name} from ${team.name}`,
    refresh,
  })
  return (
    <Button size="small" aria-label={`Remove ${name}`} loading={removal.isPending} onClick={removal.onClick}>
      Remove
    </Button>
  )
}

interface DetachSeveralButtonProps {
  team: Team
  repositories: readonly Repository[]
  onDone: () => void
}

function DetachSeveralButton({ team, repositories, onDone }: DetachSeveralButtonProps): ReactNode {
  const refresh = useRefresh(team)
  return (
    <BulkUndoButton
      verb="Remove"
      done="Removed"
      nouns={['repository', 'repositories']}
      where={`from ${team.name}`}
      ids={repositories.map(({ id }) => id)}
      run={ids => trpc.teams.detachAll.mutate({ id: team.id, repositories: ids })}
      undo={ids => trpc.teams.attachAll.mutate({ id: team.id, repositories: ids })}
      onDone={async () => {
        onDone()
        await refresh()
      }}
    />
  )
}

function useRefresh(team: Team): () => Promise<void> {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: teamRepositoriesKey(team.id) })
}

/** Notice that explains why repositories can't be added or removed here. */
export function AllRepositoriesNotice({ team, mayManage }: { team: Team; mayManage: boolean }): ReactNode {
  return (
    <div className={teamStyles.notice}>
      <Banner
        title="All repositories"
        hideTitle
        description={
          <>
            This team can access every repository, including new ones.
            {mayManage && team.permission !== 'owner' ? (
              <>
                {' '}
                To limit its access, change{' '}
                <TextLink href={teamPath(team.organization.name, team.name, 'settings')} inline>
                  the team’s settings
                </TextLink>
                .
              </>
            ) : null}
          </>
        }
      />
    </div>
  )
}
