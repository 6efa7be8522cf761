'use client'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { DepartureDialog } from '@/app/_features/departures/departure-dialog'
import { orgPath } from '@/app/_lib/paths'
import { toast } from '@/app/_lib/toast'
import type { Team } from '@/server/teams/schema'

export function DeleteTeamDialog({ team, onClose }: { team: Team; onClose: () => void }): ReactNode {
  const router = useRouter()
  return (
    <DepartureDialog
      wayOut={{ way: 'deletedTeam', id: team.id }}
      title={`Delete the team ${team.name}?`}
      confirm="Delete team"
      typedName={team.name}
      onDone={() => {
        toast.success(`Deleted the team ${team.name}`)
        router.push(orgPath(team.organization.name, 'teams'))
        router.refresh()
      }}
      onClose={onClose}
    >
      <p>The repositories stay. This cannot be undone.</p>
    </DepartureDialog>
  )
}
