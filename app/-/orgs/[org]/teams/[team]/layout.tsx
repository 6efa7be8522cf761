import type { ReactNode } from 'react'
import { readTeam, type TeamParams } from '@/app/_features/teams/read-team'
import { TeamHeading, TeamTrail } from '@/app/_features/teams/team-heading'
import { TeamTabs } from '@/app/_features/teams/team-tabs'

interface TeamLayoutProps extends TeamParams {
  children: ReactNode
}

export default async function TeamLayout({ children, params }: TeamLayoutProps): Promise<ReactNode> {
  const { organization, access, team } = await readTeam({ params })
  return (
    <>
      <TeamTrail org={organization.name} team={team.name} />
      <TeamHeading team={team} />
      <TeamTabs org={organization.name} team={team.name} mayManage={access.mayManage} />
      {children}
    </>
  )
}
