import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { Panel } from '@/app/_components/box'
import { CommandLine } from '@/app/_components/copy-button'
import { readTeamAsManager, type TeamParams, teamTitle } from '@/app/_features/teams/read-team'
import { DeleteTeamSection, TeamForm } from '@/app/_features/teams/team-settings'
import { instanceStatus } from '@/app/_lib/server'

export function generateMetadata(props: TeamParams): Promise<Metadata> {
  return teamTitle(props, 'Settings')
}

export default async function TeamSettingsPage({ params }: TeamParams): Promise<ReactNode> {
  const [{ team }, { base_url }] = await Promise.all([readTeamAsManager({ params }), instanceStatus()])
  return (
    <>
      <TeamForm key={team.id} team={team} />
      <Panel title="API">
        <CommandLine command={`${base_url}/api/v1/teams/${team.id}`} what="API URL" />
      </Panel>
      <DeleteTeamSection team={team} />
    </>
  )
}
