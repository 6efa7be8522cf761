'use client'
import { PeopleIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { ListBox, ListRow, RowFacts } from '@/app/_components/box'
import { EmptyState } from '@/app/_components/empty-state'
import { ButtonLink, QuietLink } from '@/app/_components/links'
import { Pager } from '@/app/_components/pager'
import { Label } from '@/app/_components/primer'
import styles from '@/app/_features/orgs/orgs.module.css'
import { orgPath, teamPath } from '@/app/_lib/paths'
import type { Page } from '@/server/kernel/pagination'
import type { BrowsedTeam } from '@/server/teams/schema'
import { accessSummary } from './permissions/summaries'

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

interface TeamRowProps {
  org: string
  team: BrowsedTeam
  mayOpen: boolean
}

function TeamRow({ org, team, mayOpen }: TeamRowProps): ReactNode {
  const { name, description, includes_all_repositories, can_create_org_repo, is_member } = team
  return (
    <ListRow visual={<PeopleIcon />}>
      <div className={styles.title}>
        <strong>{mayOpen ? <QuietLink href={teamPath(org, name)}>{name}</QuietLink> : name}</strong>
        {is_member ? <Label variant="accent">Your team</Label> : null}
      </div>
      {description ? (
        <p className={styles.muted} dir="auto">
          {description}
        </p>
      ) : null}
      <RowFacts>
        <span>{accessSummary(team)}</span>
        {includes_all_repositories ? <span>All repositories</span> : null}
        {can_create_org_repo ? <span>May create repositories</span> : null}
      </RowFacts>
    </ListRow>
  )
}
