'use client'
import { LockIcon, RepoIcon } from '@primer/octicons-react'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ListBox, ListRow } from '@/app/_components/box'
import { EmptyState } from '@/app/_components/empty-state'
import { TextLink } from '@/app/_components/links'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Pager } from '@/app/_components/pager'
import { Banner, Button } from '@/app/_components/primer'
import { RepositoryLabels, RepositoryLink } from '@/app/_components/repository-name'
import styles from '@/app/_features/orgs/orgs.module.css'
import teamStyles from '@/app/_features/teams/team.module.css'
import { teamPath } from '@/app/_lib/paths'
import { teamRepositoriesKey, teamRepositoriesQuery } from '@/app/_lib/queries/teams'
import { trpc } from '@/app/_lib/trpc'
import { useUndoable } from '@/app/_lib/use-undoable'
import type { Repository } from '@/server/repos/schema'
import type { Team } from '@/server/teams/schema'

interface TeamRepositoriesProps {
  team: Team
  page: number
  mayAdd: boolean
}

export function TeamRepositories({ team, page, mayAdd }: TeamRepositoriesProps): ReactNode {
  const { data } = useQuery({ ...teamRepositoriesQuery(team.id, page), placeholderData: keepPreviousData })
  if (!data) return <ListSkeleton />
  if (data.total === 0) {
    return (
      <EmptyState icon={RepoIcon} title="This team has no repositories yet">
        {mayAdd ? <p>Type the name of one above. The members have their access to it at once.</p> : null}
      </EmptyState>
    )
  }

  return (
    <>
      <ListBox title="Repositories" total={data.total}>
        {data.items.map(repository => (
          <TeamRepositoryRow key={repository.id} team={team} repository={repository} />
        ))}
      </ListBox>
      <Pager label="Pages of repositories" page={page} limit={data.limit} total={data.total} />
    </>
  )
}

function TeamRepositoryRow({ team, repository }: { team: Team; repository: Repository }): ReactNode {
  const Visual = repository.private ? LockIcon : RepoIcon
  const mayDetach = repository.permissions.admin && !team.includes_all_repositories
  return (
    <ListRow
      visual={<Visual />}
      action={mayDetach ? <DetachButton team={team} repo={repository.name} /> : null}
    >
      <div className={styles.title}>
        <strong>
          <RepositoryLink repository={repository} />
        </strong>
        <RepositoryLabels repository={repository} />
      </div>
      {repository.description ? (
        <p className={styles.muted} dir="auto">
          {repository.description}
        </p>
      ) : null}
    </ListRow>
  )
}

function DetachButton({ team, repo }: { team: Team; repo: string }): ReactNode {
  const queryClient = useQueryClient()
  const path = { id: team.id, org: team.organization.name, repo }
  const removal = useUndoable({
    act: () => trpc.teams.detach.mutate(path),
    undo: () => trpc.teams.attach.mutate(path),
    done: `Took ${repo} from ${team.name}`,
    refresh: () => queryClient.invalidateQueries({ queryKey: teamRepositoriesKey(team.id) }),
  })

  return (
    <Button size="small" aria-label={`Remove ${repo}`} loading={removal.isPending} onClick={removal.onClick}>
      Remove
    </Button>
  )
}

/** Why nothing can be added or taken away here. */
export function AllRepositoriesNotice({ team, mayManage }: { team: Team; mayManage: boolean }): ReactNode {
  return (
    <div className={teamStyles.notice}>
      <Banner
        title="All repositories"
        hideTitle
        description={
          <>
            This team has every repository of the organization, and gets each new one by itself.
            {mayManage && team.permission !== 'owner' ? (
              <>
                {' '}
                To choose single ones, change that in{' '}
                <TextLink href={teamPath(team.organization.name, team.name, 'settings')} inline>
                  the settings of the team
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
