import type { ReactNode } from 'react'
import { readTeam, type TeamParams } from '@/app/_features/teams/permissions/read-team'
import { TeamHeading } from '@/app/_features/teams/team-heading'
import { TeamTabs } from '@/app/_features/teams/team-tabs'
import { TeamTrail } from '@/app/_features/teams/team-trail'

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
