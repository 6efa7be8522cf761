import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { readTeam, type TeamParams, teamTitle } from '@/app/_features/teams/read-team'
import { AddMember, TeamMembers } from '@/app/_features/teams/team-members'
import { Hydrate } from '@/app/_lib/hydrate'
import { teamPeopleList } from '@/app/_lib/lists'
import { teamMembersQuery } from '@/app/_lib/queries/teams'
import { caller, listChoiceIn, requireSession, type SearchParams } from '@/app/_lib/server'

interface TeamPageProps extends TeamParams {
  searchParams: SearchParams
}

export function generateMetadata(props: TeamPageProps): Promise<Metadata> {
  return teamTitle(props, 'Members')
}

export default async function TeamPage({ params, searchParams }: TeamPageProps): Promise<ReactNode> {
  const { access, team } = await readTeam({ params })
  const [{ user }, choice] = await Promise.all([requireSession(), listChoiceIn(searchParams, teamPeopleList)])
  const members = await (await caller()).teams.browseMembers({ id: team.id, ...choice })

  return (
    <Hydrate entries={[[teamMembersQuery(team.id, choice), members]]}>
      {access.may_manage ? <AddMember team={team} /> : null}
      <TeamMembers team={team} me={user.login} mayManage={access.may_manage} />
    </Hydrate>
  )
}
