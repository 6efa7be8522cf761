'use client'
import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { Button } from '@/app/_components/primer'
import { DepartureDialog } from '@/app/_features/departures/departure-dialog'
import { toast } from '@/app/_lib/toast'
import type { Team } from '@/server/teams/schema'

/** Asks first: whoever has left may not be able to come back by themselves. */
export function LeaveTeamButton({ team, me }: { team: Team; me: string }): ReactNode {
  const router = useRouter()
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button size="small" aria-label={`Leave ${team.name}`} onClick={() => setAsking(true)}>
        Leave
      </Button>
      {asking ? (
        <DepartureDialog
          wayOut={{ way: 'team', id: team.id, username: me }}
          isOwn
          title={`Leave the team ${team.name}?`}
          confirm="Leave team"
          onDone={() => {
            toast.success(`You left ${team.name}`)
            router.push('/-/orgs')
            router.refresh()
          }}
          onClose={() => setAsking(false)}
        >
          <p>You lose at once what only this team lets you do. To come back, an owner must add you again.</p>
        </DepartureDialog>
      ) : null}
    </>
  )
}
