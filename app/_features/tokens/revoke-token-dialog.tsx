'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ConfirmDialog } from '@/app/_components/confirm-dialog'
import { readFailure } from '@/app/_lib/failure'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import type { ExpiringToken } from '@/server/tokens/schema'

interface RevokeTokenDialogProps {
  username: string
  token: ExpiringToken
  onGone: (id: number) => void
  onClose: () => void
}

export function RevokeTokenDialog({ username, token, onGone, onClose }: RevokeTokenDialogProps): ReactNode {
  const queryClient = useQueryClient()
  const removal = useMutation({
    mutationFn: () => trpc.tokens.remove.mutate({ username, token: String(token.id) }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['tokens', username] })
      onGone(token.id)
      onClose()
      toast.success(`Revoked the token “${token.name}”`)
    },
  })

  return (
    <ConfirmDialog
      title={`Revoke the token “${token.name}”?`}
      confirm="Revoke token"
      pending={removal.isPending}
      failure={removal.error ? readFailure(removal.error).message : undefined}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    >
      <p>
        Every program that uses the token ending in <code>{token.token_last_eight}</code> stops working at
        once. This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}
