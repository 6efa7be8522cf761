'use client'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { toast } from 'sonner'
import { ConfirmDialog } from '@/app/_components/confirm-dialog'
import { readFailure } from '@/app/_lib/failure'
import { trpc } from '@/app/_lib/trpc'
import { orgAddress } from '@/app/-/orgs/_org/org-address'
import type { Team } from '@/server/teams/schema'

export function DeleteTeamDialog({ team, onClose }: { team: Team; onClose: () => void }): ReactNode {
  const router = useRouter()
  const removal = useMutation({
    mutationFn: () => trpc.teams.remove.mutate({ id: team.id }),
    onSuccess: () => {
      toast.success(`Deleted the team ${team.name}`)
      router.push(orgAddress(team.organization.name, 'teams'))
      router.refresh()
    },
  })

  return (
    <ConfirmDialog
      title={`Delete the team ${team.name}?`}
      confirm="Delete team"
      typedName={team.name}
      pending={removal.isPending}
      failure={removal.error ? readFailure(removal.error).message : undefined}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    >
      <p>
        Its members lose at once what only this team gives them, and whoever is in no other team leaves{' '}
        {team.organization.name}. The repositories stay. This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}
