'use client'
import { PeopleIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { ListBox } from '@/app/_components/box'
import { EmptyState } from '@/app/_components/empty-state'
import { ButtonLink } from '@/app/_components/links'
import { Pager } from '@/app/_components/pager'
import { orgPath } from '@/app/_lib/paths'
import type { Page } from '@/server/kernel/pagination'
import type { Team } from '@/server/teams/schema'
import { TeamRow } from './team-row'

interface TeamListProps {
  org: string
  found: Page<Team>
  q: string
  /** The teams the viewer is in. */
  ownIds: readonly number[]
  mayOpenAll: boolean
}

export function TeamList({ org, found, q, ownIds, mayOpenAll }: TeamListProps): ReactNode {
  if (found.total === 0) {
    return (
      <EmptyState
        icon={PeopleIcon}
        title={`No team matches “${q}”`}
        action={<ButtonLink href={orgPath(org, 'teams')}>Clear the search</ButtonLink>}
      />
    )
  }
  return (
    <>
      <ListBox title={q === '' ? 'Teams' : 'Matching teams'} total={found.total}>
        {found.items.map(team => {
          const isOwn = ownIds.includes(team.id)
          return <TeamRow key={team.id} org={org} team={team} isOwn={isOwn} mayOpen={isOwn || mayOpenAll} />
        })}
      </ListBox>
      <Pager label="Pages of teams" page={found.page} limit={found.limit} total={found.total} />
    </>
  )
}
