'use client'
import { type ReactNode, useState } from 'react'
import { Panel } from '@/app/_components/box'
import form from '@/app/_components/form.module.css'
import { Button } from '@/app/_components/primer'
import type { Team } from '@/server/teams/schema'
import { DeleteTeamDialog } from './delete-team-dialog'

export function DeleteTeamSection({ team }: { team: Team }): ReactNode {
  const [asking, setAsking] = useState(false)
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
          <Button variant="danger" onClick={() => setAsking(true)}>
            Delete {team.name}
          </Button>
        </div>
      </div>
      {asking ? <DeleteTeamDialog team={team} onClose={() => setAsking(false)} /> : null}
    </Panel>
  )
}
