'use client'
import { PeopleIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { ListRow, RowFacts } from '@/app/_components/box'
import { QuietLink } from '@/app/_components/links'
import { Label } from '@/app/_components/primer'
import styles from '@/app/_features/orgs/orgs.module.css'
import { accessSummary } from '@/app/_features/teams/permissions/access-summary'
import { teamPath } from '@/app/_lib/paths'
import type { BrowsedTeam } from '@/server/teams/schema'

interface TeamRowProps {
  org: string
  team: BrowsedTeam
  mayOpen: boolean
}

export function TeamRow({ org, team, mayOpen }: TeamRowProps): ReactNode {
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
