'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { toast } from 'sonner'
import { ConfirmDialog } from '@/app/_components/confirm-dialog'
import { readFailure } from '@/app/_lib/failure'
import { trpc } from '@/app/_lib/trpc'

interface RemoveMemberDialogProps {
  org: string
  username: string
  /** Before the list shows it. */
  onRemoved: () => void
  onClose: () => void
}

export function RemoveMemberDialog({
  org,
  username,
  onRemoved,
  onClose,
}: RemoveMemberDialogProps): ReactNode {
  const router = useRouter()
  const queryClient = useQueryClient()
  const removal = useMutation({
    mutationFn: () => trpc.orgs.removeMember.mutate({ org, username }),
    onSuccess: async () => {
      onRemoved()
      toast.success(`Removed ${username} from ${org}`)
      await queryClient.invalidateQueries({ queryKey: ['org-members', org] })
      router.refresh()
      onClose()
    },
  })

  return (
    <ConfirmDialog
      title={`Remove ${username} from ${org}?`}
      confirm="Remove member"
      pending={removal.isPending}
      failure={removal.error ? readFailure(removal.error).message : undefined}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    >
      <p>
        {username} leaves every team of the organization and loses at once what they gave. What they have as a
        collaborator of single repositories stays. To take them in again, add them to each of their teams.
      </p>
    </ConfirmDialog>
  )
}
