'use client'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { Panel } from '@/app/_components/box'
import form from '@/app/_components/form.module.css'
import { DepartureButton } from '@/app/_features/departures/departure-button'
import { orgPath } from '@/app/_lib/paths'
import type { Team } from '@/server/teams/schema'

export function DeleteTeamSection({ team }: { team: Team }): ReactNode {
  const router = useRouter()
  if (team.permission === 'owner') {
    return (
      <Panel title="Delete the team">
        <p>The owners team cannot be deleted: an organization needs its owners.</p>
      </Panel>
    )
  }
  return (
    <Panel title="Delete the team">
      <div className={form.form}>
        <p>
          Its members lose what only this team gives them. Whoever is in no other team leaves the
          organization, and is no longer a collaborator on its repositories. The repositories stay.
        </p>
        <div className={form.actions}>
          <DepartureButton
            label={`Delete ${team.name}`}
            wayOut={{ way: 'deletedTeam', id: team.id }}
            title={`Delete the team ${team.name}?`}
            confirm="Delete team"
            typedName={team.name}
            done={`Deleted the team ${team.name}`}
            onDone={() => {
              router.push(orgPath(team.organization.name, 'teams'))
              router.refresh()
            }}
          >
            <p>The repositories stay. This cannot be undone.</p>
          </DepartureButton>
        </div>
      </div>
    </Panel>
  )
}
