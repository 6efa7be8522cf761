'use client'
import { PeopleIcon } from '@primer/octicons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ListBox } from '@/app/_components/box'
import { EmptyState } from '@/app/_components/empty-state'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Pager } from '@/app/_components/pager'
import { Label } from '@/app/_components/primer'
import { PersonRow } from '@/app/_features/orgs/person-row'
import { teamMembersQuery } from '@/app/_lib/queries'
import type { Team } from '@/server/teams/schema'
import { LeaveTeamButton } from './leave-team-button'
import { RemoveMemberButton } from './remove-member-button'

interface TeamMembersProps {
  team: Team
  page: number
  me: string
  mayManage: boolean
}

export function TeamMembers({ team, page, me, mayManage }: TeamMembersProps): ReactNode {
  const { data } = useQuery({ ...teamMembersQuery(team.id, page), placeholderData: keepPreviousData })
  if (!data) return <ListSkeleton />
  if (data.total === 0) {
    return (
      <EmptyState icon={PeopleIcon} title="Nobody is in this team yet">
        {mayManage ? <p>Type a name above. Whoever you pick has what the team gives at once.</p> : null}
      </EmptyState>
    )
  }

  const actionFor = (username: string): ReactNode => {
    if (username === me) return <LeaveTeamButton team={team} me={me} />
    return mayManage ? <RemoveMemberButton team={team} username={username} /> : null
  }
  return (
    <>
      <ListBox title="Members" total={data.total}>
        {data.items.map(person => (
          <PersonRow
            key={person.id}
            person={person}
            labels={person.login === me ? <Label variant="secondary">You</Label> : null}
            action={actionFor(person.login)}
          />
        ))}
      </ListBox>
      <Pager label="Pages of members" page={page} limit={data.limit} total={data.total} />
    </>
  )
}
