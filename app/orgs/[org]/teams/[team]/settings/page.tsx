import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { readTeamAsManager, type TeamParams, teamTitle } from '../../../../_teams/read-team'
import { DeleteTeamSection } from './delete-team-section'
import { TeamForm } from './team-form'

export function generateMetadata(props: TeamParams): Promise<Metadata> {
  return teamTitle(props, 'Settings')
}

export default async function TeamSettingsPage({ params }: TeamParams): Promise<ReactNode> {
  const { team } = await readTeamAsManager({ params })
  return (
    <>
      <TeamForm key={team.id} team={team} />
      <DeleteTeamSection team={team} />
    </>
  )
}
