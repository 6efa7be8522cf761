'use client'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { toast } from 'sonner'
import { ConfirmDialog } from '@/app/_components/confirm-dialog'
import { readFailure } from '@/app/_lib/failure'
import { trpc } from '@/app/_lib/trpc'

interface LeaveDialogProps {
  org: string
  me: string
  onClose: () => void
}

export function LeaveDialog({ org, me, onClose }: LeaveDialogProps): ReactNode {
  const router = useRouter()
  const leaving = useMutation({
    mutationFn: () => trpc.orgs.removeMember.mutate({ org, username: me }),
    onSuccess: () => {
      toast.success(`You left ${org}`)
      router.push('/-/orgs')
      router.refresh()
    },
  })

  return (
    <ConfirmDialog
      title={`Leave ${org}?`}
      confirm="Leave organization"
      pending={leaving.isPending}
      failure={leaving.error ? readFailure(leaving.error).message : undefined}
      onConfirm={() => leaving.mutate()}
      onClose={onClose}
    >
      <p>
        You leave all its teams and lose at once what they let you do. To come back, an owner must add you to
        a team again.
      </p>
    </ConfirmDialog>
  )
}
