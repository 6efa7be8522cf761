'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ConfirmDialog } from '@/app/_components/confirm-dialog'
import { readFailure } from '@/app/_lib/failure'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'

interface EndOtherSessionsDialogProps {
  count: number
  onClose: () => void
}

export function EndOtherSessionsDialog({ count, onClose }: EndOtherSessionsDialogProps): ReactNode {
  const queryClient = useQueryClient()
  const ending = useMutation({
    mutationFn: () => trpc.sessions.revokeOthers.mutate(),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['sessions'] })
      onClose()
      toast.success('Signed out everywhere else')
    },
  })

  return (
    <ConfirmDialog
      title="Sign out everywhere else?"
      confirm="Sign out everywhere else"
      pending={ending.isPending}
      failure={ending.error ? readFailure(ending.error).message : undefined}
      onConfirm={() => ending.mutate()}
      onClose={onClose}
    >
      <p>
        {count === 1 ? 'One other browser loses' : `${count} other browsers lose`} access at once, until you
        sign in there again. This one stays signed in, and so do programs with an access token.
      </p>
    </ConfirmDialog>
  )
}
