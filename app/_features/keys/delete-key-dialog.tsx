'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ConfirmDialog } from '@/app/_components/confirm-dialog'
import { Fingerprint } from '@/app/_components/fingerprint'
import { readFailure } from '@/app/_lib/failure'
import { type KeyOwner, removeKey } from '@/app/_lib/key-owner'
import { toast } from '@/app/_lib/toast'
import type { PublicKey } from '@/server/keys/schema'

interface DeleteKeyDialogProps {
  owner: KeyOwner
  publicKey: PublicKey
  onClose: () => void
}

export function DeleteKeyDialog({ owner, publicKey, onClose }: DeleteKeyDialogProps): ReactNode {
  const queryClient = useQueryClient()
  const removal = useMutation({
    mutationFn: () => removeKey(owner, publicKey.id),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['keys', owner.username] })
      onClose()
      toast.success(`Deleted the SSH key “${publicKey.title}”`)
    },
  })

  return (
    <ConfirmDialog
      title={`Delete the SSH key “${publicKey.title}”?`}
      confirm="Delete SSH key"
      pending={removal.isPending}
      failure={removal.error ? readFailure(removal.error).message : undefined}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    >
      <Fingerprint value={publicKey.fingerprint} />
      <p>
        Whoever signs in over SSH with this key loses access at once, {owner.mine ? 'your' : 'their'} scripts
        and machines included. This cannot be undone, but the same key can be added again.
      </p>
    </ConfirmDialog>
  )
}
