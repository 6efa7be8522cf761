'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ConfirmDialog } from '@/app/_components/confirm-dialog'
import { readFailure } from '@/app/_lib/failure'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import type { Session } from '@/server/sessions/schema'
import { browserName } from './browser-name'

export function EndSessionDialog({ session, onClose }: { session: Session; onClose: () => void }): ReactNode {
  const queryClient = useQueryClient()
  const name = browserName(session.user_agent)
  const ending = useMutation({
    mutationFn: () => trpc.sessions.revoke.mutate({ id: session.id }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['sessions'] })
      onClose()
      toast.success(`Signed out ${name}`)
    },
  })

  return (
    <ConfirmDialog
      title={`Sign out ${name}?`}
      confirm="Sign out"
      pending={ending.isPending}
      failure={ending.error ? readFailure(ending.error).message : undefined}
      onConfirm={() => ending.mutate()}
      onClose={onClose}
    >
      <p>
        That browser{session.remote_address ? ` at ${session.remote_address}` : ''} loses access at once and
        has to sign in again.
      </p>
    </ConfirmDialog>
  )
}
