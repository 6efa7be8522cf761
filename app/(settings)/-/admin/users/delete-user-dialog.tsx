'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { toast } from 'sonner'
import { ConfirmDialog } from '@/app/_components/confirm-dialog'
import { readFailure } from '@/app/_lib/failure'
import { trpc } from '@/app/_lib/trpc'

interface DeleteUserDialogProps {
  username: string
  onClose: () => void
  onDeleted?: () => void
}

export function DeleteUserDialog({ username, onClose, onDeleted }: DeleteUserDialogProps): ReactNode {
  const queryClient = useQueryClient()
  const removal = useMutation({
    mutationFn: () => trpc.users.remove.mutate({ username }),
    onSuccess: async () => {
      toast.success(`Deleted the user ${username}`)
      onDeleted?.()
      onClose()
      await queryClient.invalidateQueries({ queryKey: ['users'] })
    },
  })

  return (
    <ConfirmDialog
      title={`Delete the user ${username}?`}
      confirm="Delete user"
      typedName={username}
      pending={removal.isPending}
      failure={removal.error ? readFailure(removal.error).message : undefined}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    >
      <p>
        The account is deleted with its SSH keys, access tokens and sessions. Everything that uses them stops
        working at once. This cannot be undone.
      </p>
      <p>To keep the account and only lock it, disable signing in instead.</p>
    </ConfirmDialog>
  )
}
