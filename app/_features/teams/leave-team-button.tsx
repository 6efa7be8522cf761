'use client'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { DepartureButton } from '@/app/_features/departures/departure-button'
import type { Team } from '@/server/teams/schema'

/** Asks first: whoever has left may not be able to come back by themselves. */
export function LeaveTeamButton({ team, me }: { team: Team; me: string }): ReactNode {
  const router = useRouter()
  return (
    <DepartureButton
      label="Leave"
      name={`Leave ${team.name}`}
      size="small"
      variant="default"
      wayOut={{ way: 'team', id: team.id, username: me }}
      isOwn
      title={`Leave the team ${team.name}?`}
      confirm="Leave team"
      done={`You left ${team.name}`}
      onDone={() => {
        router.push('/-/orgs')
        router.refresh()
      }}
    >
      <p>You lose at once what only this team lets you do. To come back, an owner must add you again.</p>
    </DepartureButton>
  )
}
