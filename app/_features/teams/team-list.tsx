'use client'
import { PeopleIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { ListBox } from '@/app/_components/box'
import { EmptyState } from '@/app/_components/empty-state'
import { ButtonLink } from '@/app/_components/links'
import { Pager } from '@/app/_components/pager'
import { orgPath } from '@/app/_lib/paths'
import type { Page } from '@/server/kernel/pagination'
import type { BrowsedTeam } from '@/server/teams/schema'
import { TeamRow } from './team-row'

interface TeamListProps {
  org: string
  found: Page<BrowsedTeam>
  q: string
  mayOpenAll: boolean
}

export function TeamList({ org, found, q, mayOpenAll }: TeamListProps): ReactNode {
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
        {found.items.map(team => (
          <TeamRow key={team.id} org={org} team={team} mayOpen={team.is_member || mayOpenAll} />
        ))}
      </ListBox>
      <Pager label="Pages of teams" page={found.page} limit={found.limit} total={found.total} />
    </>
  )
}
