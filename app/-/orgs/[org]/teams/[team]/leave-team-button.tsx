'use client'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { toast } from 'sonner'
import { ConfirmDialog } from '@/app/_components/confirm-dialog'
import { Button } from '@/app/_components/primer'
import { readFailure } from '@/app/_lib/failure'
import { trpc } from '@/app/_lib/trpc'
import type { Team } from '@/server/teams/schema'

interface LeaveTeamButtonProps {
  org: string
  team: Team
  me: string
}

/** Asks first: whoever has left may not be able to come back by themselves. */
export function LeaveTeamButton({ org, team, me }: LeaveTeamButtonProps): ReactNode {
  const router = useRouter()
  const [asking, setAsking] = useState(false)
  const leaving = useMutation({
    mutationFn: () => trpc.teams.removeMember.mutate({ id: team.id, username: me }),
    onSuccess: () => {
      toast.success(`You left ${team.name}`)
      router.push('/-/orgs')
      router.refresh()
    },
  })

  return (
    <>
      <Button size="small" aria-label={`Leave ${team.name}`} onClick={() => setAsking(true)}>
        Leave
      </Button>
      {asking ? (
        <ConfirmDialog
          title={`Leave the team ${team.name}?`}
          confirm="Leave team"
          pending={leaving.isPending}
          failure={leaving.error ? readFailure(leaving.error).message : undefined}
          onConfirm={() => leaving.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>
            You lose at once what only this team lets you do. If it is your last team here, you leave {org}{' '}
            too. To come back, an owner must add you again.
          </p>
        </ConfirmDialog>
      ) : null}
    </>
  )
}
