'use client'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { DepartureDialog } from '@/app/_features/departures/departure-dialog'
import { toast } from '@/app/_lib/toast'

interface DeleteUserDialogProps {
  username: string
  onClose: () => void
  onDeleted?: () => void
}

export function DeleteUserDialog({ username, onClose, onDeleted }: DeleteUserDialogProps): ReactNode {
  const queryClient = useQueryClient()
  const deleted = async (): Promise<void> => {
    toast.success(`Deleted the user ${username}`)
    onDeleted?.()
    onClose()
    await queryClient.invalidateQueries({ queryKey: ['users'] })
  }

  return (
    <DepartureDialog
      wayOut={{ way: 'deletedUser', username }}
      title={`Delete the user ${username}?`}
      confirm="Delete user"
      typedName={username}
      onDone={deleted}
      onClose={onClose}
    >
      <p>
        The account is deleted with its SSH keys, access tokens and sessions. Everything that uses them stops
        working at once. This cannot be undone.
      </p>
      <p>To keep the account and only lock it, disable signing in instead.</p>
    </DepartureDialog>
  )
}
