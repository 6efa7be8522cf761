'use client'
import { RepoIcon } from '@primer/octicons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ListBox } from '@/app/_components/box'
import { EmptyState } from '@/app/_components/empty-state'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Pager } from '@/app/_components/pager'
import { teamRepositoriesQuery } from '@/app/_lib/queries'
import type { Team } from '@/server/teams/schema'
import { TeamRepositoryRow } from './team-repository-row'

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
